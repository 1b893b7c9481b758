import { View } from '@tarojs/components'
import { useEffect } from 'react'
import type { Order } from '@/contract/types'
import { nav } from '@/router/nav'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { Notify } from '@/ui/Notify/Notify'
import { Steps } from '@/ui/Steps/Steps'
import { copy } from '../copy'
import { type OrderStage, resumeCollection } from '../useOrder'
import { OrderIdentity } from './OrderIdentity'
import './ValuationProgress.scss'

/** delay before the finished report opens automatically */
const FORWARD_DELAY_MS = 900

const view = (orderId: string) => void nav.redirect('report', { orderId })

function nextOf(order: Order, stage: OrderStage) {
  const { orderId } = order
  const progress = { text: copy.viewProgress, onClick: () => void nav.to('mineEvaluationRecords', { tab: 'ING' }) }
  if (stage === 'ready') return { text: copy.view, onClick: () => view(orderId) }
  const reading = stage === 'reading' ? resumeCollection(order) : undefined
  return reading ? { text: copy.resumeCollection, onClick: reading } : progress
}

function Head({ order, stage }: { order: Order; stage: OrderStage }) {
  const note = stage === 'ready' ? copy.ready : stage === 'reading' ? copy.etaRead : copy.eta(order.estSeconds)
  return (
    <View className='done-head'>
      <View className='done-head__mark'>
        <Icon name='check' size='xl' />
      </View>
      <View className='done-head__title'>{copy.submitted}</View>
      <View className='done-head__note' {...a11y('status')}>
        {note}
      </View>
    </View>
  )
}

/** Progress of a valuation; opens the report automatically when it is ready. */
export function ValuationProgress({ order, stage, visible }: { order: Order; stage: OrderStage; visible: boolean }) {
  const { orderId } = order
  const ready = stage === 'ready'
  useEffect(() => {
    if (!ready || !visible) return
    const timer = setTimeout(() => view(orderId), FORWARD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [ready, visible, orderId])
  const steps = [copy.stepSent, ...(stage === 'reading' ? [copy.stepRead] : []), ...copy.stepsValue]
  return (
    <>
      <Head order={order} stage={stage} />
      <Card>
        <Steps items={steps} current={ready ? steps.length : 1} />
      </Card>
      <OrderIdentity order={order} />
      {ready ? null : <Notify about='report' />}
      <ActionBar primary={nextOf(order, stage)} secondary={{ text: copy.home, onClick: () => void nav.home() }} />
    </>
  )
}
