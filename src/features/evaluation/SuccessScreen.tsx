import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import type { Order } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { Icon } from '@/ui/Icon/Icon'
import { Loaded } from '@/ui/Loaded/Loaded'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonReport } from '@/ui/Skeleton/Skeleton'
import { Steps } from '@/ui/Steps/Steps'
import { copy } from './copy'
import { useManual } from './useManual'
import { stageOf, useOrder } from './useOrder'
import './SuccessScreen.scss'

/** ms the reader gets to see that it is done before the report opens by itself */
const FORWARD_AFTER = 900
/** ms after which waiting deserves a word */
const SLOW_AFTER = 20_000

const view = (orderId: string) => void nav.redirect('report', { orderId })

function useSlow(waiting: boolean) {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER)
    return () => clearTimeout(timer)
  }, [waiting])
  return slow && waiting
}

function OrderLines({ order }: { order: Order }) {
  return (
    <Card flush>
      <Cell
        title={copy.orderNo}
        note={order.orderNo}
        value={<Icon name='copy' />}
        label={`${copy.copyOrderNo} ${order.orderNo}`}
        onClick={() => void clipboard.copy(order.orderNo)}
      />
      <Cell title={copy.game} value={order.gameName} />
    </Card>
  )
}

/** What to do next: a person where one takes orders, else another game; what failed is filled in again. */
function useWaysOn({ gameId, mode }: Order, insufficient: boolean) {
  const manual = useManual()
  const other = { text: copy.otherGame, onClick: () => void nav.redirect('evaluationChooseGame') }
  const form = (as: Order['mode']) => () => void nav.redirect('evaluationFillInInfo', { gameId, mode: as })
  const home = { text: copy.home, onClick: () => void nav.home() }
  if (!insufficient) return { primary: { text: copy.refill, onClick: form(mode) }, secondary: home }
  if (!manual.open) return { primary: other, secondary: home }
  return { primary: { text: copy.toManual, kind: 'celebrate' as const, onClick: form('MANUAL') }, secondary: other }
}

/** No price came out of it: why, and what can be done. */
function NoPrice({ order, insufficient }: { order: Order; insufficient: boolean }) {
  return (
    <>
      <Empty
        art='report'
        text={insufficient ? copy.insufficientTitle : copy.failedTitle}
        note={insufficient ? copy.insufficientNote : copy.failedNote}
      />
      <OrderLines order={order} />
      <ActionBar {...useWaysOn(order, insufficient)} />
    </>
  )
}

function Waiting({ order, visible }: { order: Order; visible: boolean }) {
  const { orderId } = order
  const ready = stageOf(order) === 'ready'
  const slow = useSlow(!ready)
  useEffect(() => {
    if (!ready || !visible) return
    const timer = setTimeout(() => view(orderId), FORWARD_AFTER)
    return () => clearTimeout(timer)
  }, [ready, visible, orderId])
  return (
    <>
      <View className='done-head'>
        <View className='done-head__mark'>
          <Icon name='check' size='xl' />
        </View>
        <View className='done-head__title'>{copy.submitted}</View>
        <View className='done-head__note'>{ready ? copy.ready : copy.eta(order.mode)}</View>
      </View>
      {slow ? <Notice text={copy.slow} /> : null}
      <Card>
        <Steps items={copy.steps3} current={ready ? 3 : 1} />
      </Card>
      <OrderLines order={order} />
      <ActionBar
        primary={
          ready
            ? { text: copy.view, onClick: () => view(orderId) }
            : { text: copy.viewProgress, onClick: () => void nav.to('mineEvaluationRecords', { tab: 'ING' }) }
        }
        secondary={{ text: copy.home, onClick: () => void nav.home() }}
      />
    </>
  )
}

function Result({ orderId }: { orderId: string }) {
  const { load, visible } = useOrder(orderId)
  return (
    <Loaded load={load} skeleton={<SkeletonReport />}>
      {(order) => {
        const stage = stageOf(order)
        if (stage === 'running' || stage === 'ready') return <Waiting order={order} visible={visible} />
        return <NoPrice order={order} insufficient={stage === 'insufficient'} />
      }}
    </Loaded>
  )
}

/** After submitting: what happens next; the report opens by itself when it is ready. */
export function SuccessScreen({ params }: ScreenProps<'evaluationFillInInfoSuccess'>) {
  if (params.orderId) return <Result orderId={params.orderId} />
  return (
    <Empty
      art='report'
      text={copy.noOrder}
      action={{ text: copy.viewProgress, onClick: () => void nav.redirect('mineEvaluationRecords') }}
    />
  )
}
