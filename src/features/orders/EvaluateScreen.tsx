import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { Order, ValuationEvaluation } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Loaded } from '@/ui/Loaded/Loaded'
import { SkeletonForm } from '@/ui/Skeleton/Skeleton'
import { copy } from './evaluate/copy'
import { Form } from './evaluate/Form'
import { Said } from './evaluate/Said'
import './EvaluateScreen.scss'

const goRecords = { text: copy.goRecords, onClick: () => void nav.redirect('mineEvaluationRecords') }

interface Known {
  order: Order
  said: ValuationEvaluation | null
}

/** @param onSent the order may have gone on: a bad word opens a re-check, a good one ends it */
export function Content({ order, said: first, onSent }: Known & { onSent: () => void }) {
  const [later, setLater] = useState<ValuationEvaluation>()
  const said = later ?? first
  const sent = (saved: ValuationEvaluation) => {
    setLater(saved)
    onSent()
  }
  if (!said && !order.actions.includes('EVALUATE')) return <Empty art='report' text={copy.notYet} action={goRecords} />
  const { gameId, gameName, title, orderNo } = order
  return (
    <>
      <Card flush>
        <Cell lead={<GameTile gameId={gameId} name={gameName} size='s' />} title={title || gameName} note={orderNo} />
      </Card>
      {said ? <Said said={said} order={order} onChange={sent} /> : <Form order={order} onSent={sent} />}
    </>
  )
}

function Found({ orderId }: { orderId: string }) {
  const load = useLoad(`evaluate:${orderId}`, async (scope): Promise<Known> => {
    const options = { quiet: true, scope }
    const [order, said] = await Promise.all([
      api.pay.getInfo({ orderId }, options),
      api.evaluation.getEvaluation({ orderId }, options),
    ])
    return { order, said }
  })
  if (!load.data && load.error?.status === 404) return <Empty art='report' text={copy.notFound} action={goRecords} />
  return (
    <Loaded load={load} skeleton={<SkeletonForm fields={4} />}>
      {(known) => <Content {...known} onSent={() => void load.reload()} />}
    </Loaded>
  )
}

/** How good the valuation was, in the owner's words. */
export function EvaluateScreen({ params }: ScreenProps<'mineEvaluationEvaluate'>) {
  if (params.orderId) return <Found orderId={params.orderId} />
  return <Empty art='report' text={copy.notFound} action={goRecords} />
}
