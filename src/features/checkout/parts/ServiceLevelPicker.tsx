import { View } from '@tarojs/components'
import { EXPERT_FROM_FEN, MANUAL_FROM_FEN, UPPER_FROM_FEN } from '@/contract/constants'
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
import { advisedLevel, unadvisedShares } from '../model'
import './OrderSummary.scss'

/** Which service fits an account of this model price, whichever is chosen; undefined without a price. */
function advice(aiFen: number | undefined): string | undefined {
  if (aiFen === undefined) return undefined
  if (aiFen < MANUAL_FROM_FEN) return copy.levelNone(aiFen)
  if (aiFen < UPPER_FROM_FEN) return copy.levelDown(aiFen)
  return aiFen < EXPERT_FROM_FEN ? copy.levelByNeed(aiFen) : copy.levelUp(aiFen)
}

interface Props {
  order: Order
  quote: PreOrder
  busy: boolean
  failure: string | undefined
  onPick: (level: ManualLevel) => void
}

/** Choice of the service and what each delivers, until the order is paid. */
export function ServiceLevelPicker({
  order: { level = 'STD' },
  quote: { levels, aiFen, offer },
  busy,
  failure,
  onPick,
}: Props) {
  if (!levels) return null
  const says = advice(aiFen)
  const costs = unadvisedShares({ levels, aiFen })
  const advised = advisedLevel(aiFen)
  return (
    <Card flush title={copy.service}>
      {says ? <View className='summary-note'>{says}</View> : null}
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
              {costs.has(one) ? <View>{copy.levelAgainst(one, costs.get(one), aiFen)}</View> : null}
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
          {costs.has(one) ? (
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
