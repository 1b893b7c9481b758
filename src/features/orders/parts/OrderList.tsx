import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { usePayStatus } from '@/api/usePayStatus'
import type { Order } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { appState } from '@/session/store'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { Sheet } from '@/ui/Sheet/Sheet'
import { type Selection, toggleSelection } from '../contrast'
import { copy } from '../copy'
import { type OrderHandlers, orderButtons } from '../orderButtons'
import { type OrderTab, useOrders } from '../useOrders'
import { CancelSheet } from './CancelSheet'
import type { PickedGame } from './GameFilter'
import { OrderCard } from './OrderCard'
import { SelectableOrderCard } from './SelectableOrderCard'
import { SupplySheet } from './SupplySheet'

export function NoOrders({ tab, game, onAll }: Pick<Props, 'tab' | 'game' | 'onAll'>) {
  // orders that were in progress when the page was opened may have ended
  const all = { text: copy.seeAll, onClick: onAll }
  if (game || tab !== 'ALL') return <Empty art='report' text={copy.emptyTab} action={all} />
  const action = { text: copy.start, onClick: () => void nav.to('evaluationChooseGame') }
  return <Empty art='report' text={copy.empty} note={copy.emptyNote} action={action} />
}

interface OpenSheet {
  sheet: Parameters<OrderHandlers['openSheet']>[0]
  order: Order
}

/** The actions of an order beside the one its card shows. */
function MoreSheet({ order, tools, close }: { order: Order; tools: OrderHandlers; close(): void }) {
  return (
    <Sheet open onClose={close} title={order.title || order.gameName}>
      {orderButtons(order, tools)
        .slice(1)
        .map(({ action, text, onClick }) => (
          <Cell
            key={action}
            title={text}
            danger={action === 'DELETE'}
            onClick={() => {
              close()
              onClick()
            }}
          />
        ))}
    </Sheet>
  )
}

interface Props {
  tab: OrderTab
  game: PickedGame | undefined
  /** undefined: not comparing */
  picked: Selection | undefined
  onPick: (picked: Selection | undefined) => void
  /** shows all of all games */
  onAll: () => void
}

/** The orders of a tab and game with their buttons, or with checkboxes while orders are chosen for a comparison. */
export function OrderList({ tab, game, picked, onPick, onAll }: Props) {
  const { list, refresh } = useOrders(tab, game?.gameId)
  const { loaded, paymentsEnabled: prices } = usePayStatus(appState().platform)
  const [opened, setOpened] = useState<OpenSheet>()
  const { run } = useAction()
  const { load } = list
  // the current entry of the list, so that an open sheet shows the status after a refresh
  const order = opened && (load.data?.find(({ orderId }) => orderId === opened.order.orderId) ?? opened.order)
  const tools: OrderHandlers = {
    prices,
    openSheet: (sheet, order) => setOpened({ sheet, order }),
    urge: ({ orderId }) =>
      void run(async () => {
        await api.app.countHit({ key: 'ORDER_URGE', bizId: orderId })
        dialog.toast(copy.urged)
        void refresh()
      }),
    remove: ({ orderId, title, gameName }) =>
      void run(async () => {
        const content = copy.removeBody(title || gameName)
        if (!(await dialog.confirm({ title: copy.removeTitle, content, confirmText: copy.removeYes }))) return
        await api.pay.closeOrder({ orderId })
        dialog.toast(copy.removed)
        void refresh()
      }),
    compare: (order) => onPick(toggleSelection([], order)),
  }
  const close = () => setOpened(undefined)
  const sheetOf = (kind: OpenSheet['sheet'], order: Order) => {
    if (kind === 'more') return <MoreSheet order={order} tools={tools} close={close} />
    const shown = { order, prices, onClose: close, onDone: () => void refresh() }
    if (kind === 'cancel' || kind === 'refund') return <CancelSheet key={order.orderId} {...shown} kind={kind} />
    return <SupplySheet key={order.orderId} {...shown} kind={kind} />
  }
  return (
    <>
      {/* what a card calls a refund depends on whether prices may be shown */}
      <List
        {...list}
        load={loaded ? load : { ...load, data: undefined, loading: true }}
        empty={<NoOrders tab={tab} game={game} onAll={onAll} />}
      >
        {(order) =>
          picked ? (
            <SelectableOrderCard
              order={order}
              picked={picked}
              prices={prices}
              onToggle={() => onPick(toggleSelection(picked, order))}
            />
          ) : (
            <OrderCard order={order} tools={tools} />
          )
        }
      </List>
      {opened && order ? sheetOf(opened.sheet, order) : null}
    </>
  )
}
