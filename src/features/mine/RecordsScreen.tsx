import { View } from '@tarojs/components'
import { useReachBottom } from '@tarojs/taro'
import { useState } from 'react'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { a11y } from '@/ui/a11y'
import { Chip } from '@/ui/Chip/Chip'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { copy } from './copy'
import { OrderCard } from './parts/OrderCard'
import { type OrderTab, useOrders } from './useOrders'
import './RecordsScreen.scss'

const tabs: readonly OrderTab[] = ['ALL', 'ING', 'DONE', 'REFUND']

function Nothing({ tab }: { tab: OrderTab }) {
  if (tab !== 'ALL') return <Empty art='report' text={copy.recordsEmptyTab} />
  const action = { text: copy.start, onClick: () => void nav.to('evaluationChooseGame') }
  return <Empty art='report' text={copy.recordsEmpty} note={copy.recordsEmptyNote} action={action} />
}

function Orders({ tab }: { tab: OrderTab }) {
  const { load, more, loadMore } = useOrders(tab)
  useReachBottom(() => void loadMore())
  return (
    <List
      load={load}
      keyOf={(order) => order.orderId}
      empty={<Nothing tab={tab} />}
      more={more}
      onMore={() => void loadMore()}
    >
      {(order) => <OrderCard order={order} />}
    </List>
  )
}

/** Everything the user has had valued, newest first. */
export function RecordsScreen({ params }: ScreenProps<'mineEvaluationRecords'>) {
  const [tab, setTab] = useState(tabs.find((one) => one === params.tab) ?? 'ALL')
  return (
    <View className='records'>
      <View className='records__tabs' {...a11y('tablist')}>
        {tabs.map((one) => (
          <View key={one} className='records__tab'>
            <Chip role='tab' selected={one === tab} onClick={() => setTab(one)}>
              {copy.tabs[one]}
            </Chip>
          </View>
        ))}
      </View>
      <Orders key={tab} tab={tab} />
    </View>
  )
}
