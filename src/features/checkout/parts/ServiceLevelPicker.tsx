import { View } from '@tarojs/components'
import { yuan } from '@/contract/format'
import { keysOf, type ManualLevel, manualLevelText } from '@/contract/labels'
import type { Order, PreOrder } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Notice } from '@/ui/Notice/Notice'
import { Choice } from '@/ui/Sheet/Choice'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import { advisedLevel, shareOfEstimate, unadvisedLevels } from '../model'
import './OrderSummary.scss'

interface Props {
  order: Order
  quote: PreOrder
  busy: boolean
  failure: string | undefined
  onPick: (level: ManualLevel) => void
}

/** Choice of the service and what each delivers, until the order is paid. */
export function ServiceLevelPicker({ order: { level = 'STD' }, quote, busy, failure, onPick }: Props) {
  const { levels, aiFen, advice, offer } = quote
  if (!levels) return null
  const against = unadvisedLevels(advice)
  const advised = advisedLevel(advice)
  return (
    <Card flush title={copy.service}>
      {advice ? <View className='summary-note'>{copy.levelAdvice[advice](aiFen)}</View> : null}
      {advised && advised !== level ? (
        <Cell title={copy.levelChange(advised)} end='swap' onClick={() => busy || onPick(advised)} />
      ) : null}
      {keysOf(manualLevelText).map((one) => (
        <Choice
          key={one}
          kind='radio'
          on={one === level}
          note={
            <>
              {against.includes(one) ? <View>{copy.levelAgainst(one, shareOfEstimate(quote, one), aiFen)}</View> : null}
              {copy.promises(one, offer).map((line) => (
                <View key={line} className='service-promise'>
                  {line}
                </View>
              ))}
            </>
          }
          onClick={() => busy || one === level || onPick(one)}
        >
          {`${manualLevelText[one]} ${yuan(levels[one])}`}
          {against.includes(one) ? (
            <>
              {' '}
              <Tag tone='warn'>{copy.notAdvised}</Tag>
            </>
          ) : null}
          {one === advised ? (
            <>
              {' '}
              <Tag tone='ok'>{copy.advised}</Tag>
            </>
          ) : null}
        </Choice>
      ))}
      <View className='summary-note'>{copy.includes(offer)}</View>
      <Cell icon='expert' title={copy.appraisers} onClick={() => void nav.to('article', { key: 'APPRAISERS' })} />
      {failure ? <Notice tone='warn' text={failure} /> : null}
    </Card>
  )
}
