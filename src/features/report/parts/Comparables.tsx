import { View } from '@tarojs/components'
import { dateText, estimate } from '@/contract/format'
import { comparableKindText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import './Comparables.scss'

type Comparable = NonNullable<Report['comparables']>[number]

function Row({ one }: { one: Comparable }) {
  return (
    <View className='rp-comp'>
      <View className='rp-comp__head'>
        <Tag tone={one.kind === 'SOLD' ? 'ok' : 'plain'} icon={one.kind === 'SOLD' ? 'check' : 'clock'}>
          {comparableKindText[one.kind]}
        </Tag>
        <View className='rp-comp__price'>{estimate(one.priceFen)}</View>
        <View className='rp-comp__side'>
          <View className='rp-comp__bit'>{copy.similarity(one.similarity)}</View>
          <View className='rp-comp__bit'>{dateText(one.at)}</View>
        </View>
      </View>
      {one.diff.length > 0 ? (
        <View className='rp-comp__diffs'>
          {one.diff.map((text) => (
            <View key={text} className='rp-comp__diff'>
              {text}
            </View>
          ))}
        </View>
      ) : null}
      <View className='rp-comp__adj'>
        {copy.adjusted} {estimate(one.adjFen)}
      </View>
    </View>
  )
}

/** Accounts like this one, each marked as sold or only offered. */
export function Comparables({ list }: { list: readonly Comparable[] }) {
  return (
    <Card title={copy.comparables}>
      {list.map((one) => (
        <Row key={one.id} one={one} />
      ))}
    </Card>
  )
}
