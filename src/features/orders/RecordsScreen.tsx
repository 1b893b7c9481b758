import { View } from '@tarojs/components'
import { useState } from 'react'
import { usePayStatus } from '@/api/usePayStatus'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Chip } from '@/ui/Chip/Chip'
import { Chips } from '@/ui/Chip/Chips'
import { CONTRAST_MIN, type Selection } from './contrast'
import { copy } from './copy'
import { GameFilter, type PickedGame } from './parts/GameFilter'
import { LinkedOrder } from './parts/LinkedOrder'
import { OrderList } from './parts/OrderList'
import type { OrderTab } from './useOrders'
import './RecordsScreen.scss'

const tabs: readonly OrderTab[] = ['ALL', 'ING', 'DONE', 'REFUND']

function ContrastBar({ picked }: { picked: Selection }) {
  const orderIds = picked.map(({ orderId }) => orderId).join(',')
  return (
    <ActionBar
      primary={{
        text: copy.pickGo(picked.length),
        disabled: picked.length < CONTRAST_MIN,
        onClick: () => void nav.to('contrastAnalysis', { orderIds }),
      }}
      note={copy.pickNote}
    />
  )
}

/** Everything the user has had valued, newest first. */
export function RecordsScreen({ params }: ScreenProps<'mineEvaluationRecords'>) {
  const { paymentsEnabled } = usePayStatus(appState().platform)
  const [tab, setTab] = useState(tabs.find((tab) => tab === params.tab) ?? 'ALL')
  const plain = paymentsEnabled ? {} : { REFUND: copy.plainRefundTab }
  const names = tabs.map((v) => ({ v, t: { ...copy.tabs, ...plain }[v] }))
  const [game, setGame] = useState<PickedGame>()
  const [picked, setPicked] = useState<Selection>()
  // the list is loaded again after the linked order has changed
  const [changes, setChanges] = useState(0)
  return (
    <>
      <View className='records'>
        <Chips page role='tab' options={names} isOn={(option) => option === tab} onPick={setTab} />
        <View className='records__tools'>
          <GameFilter game={game} onPick={setGame} />
          <Chip selected={picked !== undefined} onClick={() => setPicked(picked ? undefined : [])}>
            {picked ? copy.pickEnd : copy.pick}
          </Chip>
        </View>
        <OrderList
          key={`${tab}:${game?.gameId}:${changes}`}
          tab={tab}
          game={game}
          picked={picked}
          onPick={setPicked}
          onAll={() => {
            setTab('ALL')
            setGame(undefined)
          }}
        />
      </View>
      {params.orderId ? <LinkedOrder orderId={params.orderId} onDone={() => setChanges(changes + 1)} /> : null}
      {picked ? <ContrastBar picked={picked} /> : null}
    </>
  )
}
