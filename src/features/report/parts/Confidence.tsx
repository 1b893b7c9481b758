import { View } from '@tarojs/components'
import { useState } from 'react'
import { confidenceText, doubtsText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { openFormOf } from './PriceAction'
import './Confidence.scss'

/** Confidence in the price in one line, with the way to a higher one for the owner; the reasons on tap. */
export function Confidence({ report }: { report: Report }) {
  const { confidence, inputs, mine, price } = report
  const [open, setOpen] = useState(false)
  if (!confidence) return null
  const { reasons, doubts, level } = confidence
  const { assumed: [field, ...others] = [] } = price
  const complete =
    inputs && mine !== false && field !== undefined ? (
      <Pressable className='rp-complete' onClick={() => openFormOf(report, { field })}>
        {copy.complete(1 + others.length)}
      </Pressable>
    ) : undefined
  return (
    <Card title={copy.confidence(confidenceText[level])} extra={complete}>
      {open
        ? reasons.map((reason) => {
            const isDoubt = doubts.includes(reason)
            return (
              <View key={reason} className={`rp-reason rp-reason--${isDoubt ? 'warning' : 'check'}`}>
                <Icon name={isDoubt ? 'warning' : 'check'} size='s' {...(isDoubt && { label: doubtsText })} />
                <View className='rp-reason__text'>{reason}</View>
              </View>
            )
          })
        : null}
      <Disclosure open={open} onToggle={setOpen} text={copy.grounds} />
    </Card>
  )
}
