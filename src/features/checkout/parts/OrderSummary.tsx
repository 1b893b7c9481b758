import { View } from '@tarojs/components'
import type { Order, PreOrder } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { CopyCell } from '@/ui/Cell/CopyCell'
import { GameTile } from '@/ui/GameTile/GameTile'
import { copy } from '../copy'
import './OrderSummary.scss'

interface Props {
  order: Order
  /** show the order number */
  number?: boolean
  /** show the service level, except where it is chosen */
  note?: boolean
  /** until when it is delivered, and what the model offers */
  quote?: Pick<PreOrder, 'offer' | 'dueAt' | 'now'>
}

/** Summary of the service and the account. */
export function OrderSummary({ order, number = false, note = true, quote = {} }: Props) {
  const { gameId, gameName, title, mode, level = 'STD', orderNo } = order
  const { offer, dueAt, now = serverTime() } = quote
  const service = mode === 'AI' ? copy.ai : copy.level(level)
  return (
    <Card flush>
      <Cell lead={<GameTile gameId={gameId} size='m' />} title={title || gameName} note={service} />
      <View className='summary-note'>
        {mode === 'AI' ? copy.aiNote : note ? `${copy.levelNote(level, offer)}。${copy.hours}` : copy.hours}
      </View>
      {dueAt === undefined ? null : <Cell icon='clock' title={copy.due(dueAt, now)} />}
      {number ? <CopyCell title={copy.orderNo} text={orderNo} action={copy.copyNo} /> : null}
    </Card>
  )
}
