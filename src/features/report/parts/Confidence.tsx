import { View } from '@tarojs/components'
import { useState } from 'react'
import { gameOfTitle } from '@/contract/format'
import { confidenceText, doubtsText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Icon } from '@/ui/Icon/Icon'
import { copy } from '../copy'
import './Confidence.scss'

const confidenceFact = (icon: 'check' | 'warning') => (reason: string) => (
  <View key={reason} className={`rp-reason rp-reason--${icon}`}>
    <Icon name={icon} size='s' />
    <View className='rp-reason__text'>{reason}</View>
  </View>
)

/** Confidence in the price: a meter, with the reasons shown on tap. */
export function Confidence({ report }: { report: Report }) {
  const { confidence, inputs, mine, title } = report
  const [open, setOpen] = useState(false)
  if (!confidence) return null
  const { reasons, doubts, level, score, assumed } = confidence
  const grounds = reasons.filter((reason) => !doubts.includes(reason))
  const points = Math.round(score)
  return (
    <Card title={copy.confidence} extra={`${confidenceText[level]} · ${points} 分`}>
      <View className='rp-meter' {...a11y(undefined, { hidden: true })}>
        <View className={`rp-meter__bar rp-meter__bar--${level}`} style={{ width: `${points}%` }} />
      </View>
      {open ? (
        <>
          {grounds.map(confidenceFact('check'))}
          {doubts.length > 0 ? <View className='rp-doubts'>{doubtsText}</View> : null}
          {doubts.map(confidenceFact('warning'))}
        </>
      ) : null}
      <Disclosure
        open={open}
        onToggle={setOpen}
        text={copy.confidenceReasons(copy.confidenceMeans[level], grounds.length, doubts.length)}
      />
      {inputs && mine !== false && assumed.length > 0 ? (
        <Button
          kind='secondary'
          size='s'
          onClick={() => void openFormWithAnswers({ ...report, gameName: gameOfTitle(title) })}
        >
          {copy.complete(assumed.length)}
        </Button>
      ) : null}
    </Card>
  )
}
