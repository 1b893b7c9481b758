import { View } from '@tarojs/components'
import { useState } from 'react'
import { ApiError, api } from '@/api'
import { usePayStatus } from '@/api/usePayStatus'
import { estimateRange } from '@/contract/format'
import { scaleOf } from '@/contract/priceRange'
import type { Order } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { appState } from '@/session/store'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { Sheet } from '@/ui/Sheet/Sheet'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { type Selection, toggleSelection } from '../contrast'
import { copy } from '../copy'
import { type OrderHandlers, orderButtons } from '../orderButtons'
import { type OrderTab, useOrders } from '../useOrders'
import { CancelSheet } from './CancelSheet'
import type { PickedGame } from './GameFilter'
import { OrderCard } from './OrderCard'
import { OrderSheet } from './OrderSheet'
import { SelectableOrderCard } from './SelectableOrderCard'
import { SupplySheet } from './SupplySheet'

export function NoOrders({ tab, game, onAll }: Pick<Props, 'tab' | 'game' | 'onAll'>) {
  if (game) return <Empty art='report' text={copy.emptyGame} />
  // orders that were in progress when the page was opened may have ended
  const all = { text: copy.seeAll, onClick: onAll }
  if (tab !== 'ALL') return <Empty art='report' text={tab === 'ING' ? copy.emptyIng : copy.emptyTab} action={all} />
  const action = { text: copy.start, onClick: () => void nav.to('evaluationChooseGame') }
  return <Empty art='report' text={copy.empty} note={copy.emptyNote} action={action} />
}

/** All ranges, which are drawn on one scale so that they can be compared. */
const rangesOf = (orders: readonly Order[]) =>
  orders.flatMap(({ lowFen, highFen }) => (lowFen !== undefined && highFen !== undefined ? [{ lowFen, highFen }] : []))

async function urgeOrder({ orderId }: Order) {
  try {
    await api.app.countHit({ key: 'ORDER_URGE', bizId: orderId })
    dialog.toast(copy.urged)
  } catch (e) {
    if (!(e instanceof ApiError)) throw e
  }
}

/** Asks for confirmation, then removes an order from the list. @returns whether it was removed */
async function removeOrder({ orderId, title, gameName }: Order): Promise<boolean> {
  const { removeTitle, removeBody, removeYes: confirmText, removeNo: cancelText } = copy
  const content = removeBody(title || gameName)
  if (!(await dialog.confirm({ title: removeTitle, content, confirmText, cancelText }))) return false
  try {
    await api.pay.closeOrder({ orderId })
    dialog.toast(copy.removed)
    return true
  } catch (e) {
    if (!(e instanceof ApiError)) throw e
    return false
  }
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

function ActionSheets({
  opened,
  tools,
  close,
  done,
}: {
  opened: OpenSheet
  tools: OrderHandlers
  close(): void
  done(): void
}) {
  const { sheet, order } = opened
  const { prices } = tools
  if (sheet === 'more') return <MoreSheet order={order} tools={tools} close={close} />
  if (sheet === 'order') return <OrderSheet order={order} prices={prices} onClose={close} />
  if (sheet === 'cancel' || sheet === 'refund')
    return <CancelSheet key={order.orderId} order={order} kind={sheet} prices={prices} onClose={close} onDone={done} />
  return <SupplySheet key={order.orderId} order={order} kind={sheet} prices={prices} onClose={close} onDone={done} />
}

interface Props {
  tab: OrderTab
  game: PickedGame | undefined
  /** undefined: not comparing */
  picked: Selection | undefined
  onPick: (picked: Selection | undefined) => void
  /** switches to the tab 全部 */
  onAll: () => void
}

/** The orders of a tab and game with their buttons, or with checkboxes while orders are chosen for a comparison. */
export function OrderList({ tab, game, picked, onPick, onAll }: Props) {
  const { list, refresh } = useOrders(tab, game?.gameId)
  const { loaded, paymentsEnabled: prices } = usePayStatus(appState().platform)
  const [opened, setOpened] = useState<OpenSheet>()
  const { load } = list
  // the current entry of the list, so that an open sheet shows the status after a refresh
  const order = opened && (load.data?.find(({ orderId }) => orderId === opened.order.orderId) ?? opened.order)
  const ranges = rangesOf(load.data ?? [])
  const scale = ranges.length > 1 ? scaleOf(ranges) : undefined
  const tools: OrderHandlers = {
    prices,
    openSheet: (sheet, order) => setOpened({ sheet, order }),
    urge: (order) => void urgeOrder(order).then(() => refresh()),
    remove: (order) => void removeOrder(order).then((gone) => (gone ? refresh() : undefined)),
    compare: (order) => onPick(toggleSelection([], order)),
  }
  return (
    <>
      {scale ? (
        <View className='records__scale'>
          <Unbroken text={copy.scale(estimateRange(scale.lowFen, scale.highFen))} />
        </View>
      ) : null}
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
              scale={scale}
              picked={picked}
              prices={prices}
              onToggle={() => onPick(toggleSelection(picked, order))}
            />
          ) : (
            <OrderCard order={order} scale={scale} tools={tools} />
          )
        }
      </List>
      {opened && order ? (
        <ActionSheets
          opened={{ ...opened, order }}
          tools={tools}
          close={() => setOpened(undefined)}
          done={() => void refresh()}
        />
      ) : null}
    </>
  )
}
