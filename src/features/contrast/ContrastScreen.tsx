import { View } from '@tarojs/components'
import { useCall } from '@/api/useCall'
import { estimate } from '@/contract/format'
import { modeTag } from '@/contract/labels'
import { scaleOf } from '@/contract/priceRange'
import type { Contrast } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Price } from '@/ui/Price/Price'
import { PriceRangeBar } from '@/ui/PriceRangeBar/PriceRangeBar'
import { SkeletonCard } from '@/ui/Skeleton/Skeleton'
import { Tag } from '@/ui/Tag/Tag'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from './copy'
import { orderIdsOf, splitSentences } from './model'
import { ComparisonTable } from './parts/ComparisonTable'
import './ContrastScreen.scss'

const toRecords = () => void nav.redirect('mineEvaluationRecords')

/** Price ranges of all accounts on a common scale. */
function PriceRanges({ columns }: { columns: Contrast['columns'] }) {
  const scale = scaleOf(columns.map(({ price }) => price))
  return (
    <>
      <View>
        {columns.map(({ orderId, price, mode, name }, i) => (
          <View key={orderId} className='ct-price'>
            <View className='ct-price__head'>
              <View className='ct-price__name'>{copy.account(i, name)}</View>
              <Tag>{modeTag[mode]}</Tag>
              <View className='ct-price__sum'>
                <Price fen={price.predictFen} size='l' />
              </View>
            </View>
            <PriceRangeBar price={price} scale={scale} />
          </View>
        ))}
      </View>
      <View className='ct-scale'>
        <View>{estimate(scale.lowFen)}</View>
        <View>{estimate(scale.highFen)}</View>
      </View>
    </>
  )
}

export function ContrastContent({ contrast }: { contrast: Contrast }) {
  return (
    <>
      <View className='ct-columns'>
        <Card title={copy.summary}>
          <PriceRanges columns={contrast.columns} />
          {splitSentences(contrast.summary).map((text) => (
            <View key={text} className='ct-sentence'>
              <Unbroken text={text} />
            </View>
          ))}
        </Card>
        <ComparisonTable contrast={contrast} />
      </View>
      <View className='ct-note'>{copy.note}</View>
      <ActionBar primary={{ text: copy.records, onClick: toRecords }} />
    </>
  )
}

function LoadedContrast({ orderIds }: { orderIds: string[] }) {
  const load = useCall('evaluation', 'contrastAnalysis', { orderIds })
  const { error } = load
  if (!load.data && error && (error.status === 404 || error.status === 400))
    return <Empty art='report' text={error.detail} action={{ text: copy.goRecords, onClick: toRecords }} />
  return (
    <LoadBoundary
      load={load}
      skeleton={
        <>
          <SkeletonCard lines={3} />
          <SkeletonCard lines={8} />
        </>
      }
    >
      {(contrast) => <ContrastContent contrast={contrast} />}
    </LoadBoundary>
  )
}

/** Two to four reports of one game side by side (`orderIds`, separated by commas). */
export function ContrastScreen({ params }: ScreenProps<'contrastAnalysis'>) {
  const orderIds = orderIdsOf(params.orderIds)
  if (orderIds) return <LoadedContrast orderIds={orderIds} />
  return <Empty art='report' text={copy.wrong} action={{ text: copy.goRecords, onClick: toRecords }} />
}
