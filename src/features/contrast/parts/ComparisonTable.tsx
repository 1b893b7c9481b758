import { ScrollView, View } from '@tarojs/components'
import { useState } from 'react'
import type { Contrast } from '@/contract/types'
import { nav } from '@/router/nav'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Switch } from '@/ui/Switch/Switch'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import { barsOf, hasDifferences } from '../model'
import './ComparisonTable.scss'

function Head({ columns }: { columns: Contrast['columns'] }) {
  return (
    <View className='ct-row ct-row--head' {...a11y('row')}>
      <View className='ct-name' {...a11y('columnheader')}>
        {copy.item}
      </View>
      {columns.map(({ orderId, title, idMasked, name }, i) => (
        <View key={orderId} className='ct-cell' {...a11y('columnheader')}>
          <Pressable className='ct-account' role='link' onClick={() => void nav.to('report', { orderId })}>
            <View className='ct-account__no'>
              {copy.account(i, name)}
              <Icon name='chevron-right' size='s' />
            </View>
            <View className='ct-account__title'>{title}</View>
            {idMasked ? <View className='ct-account__title'>{`ID ${idMasked}`}</View> : null}
          </Pressable>
        </View>
      ))}
    </View>
  )
}

function Row({ row, columns }: { row: Contrast['rows'][number]; columns: Contrast['columns'] }) {
  const { label, values, best } = row
  const bars = barsOf(row)
  return (
    <View className='ct-row' {...a11y('row')}>
      <View className='ct-name' {...a11y('rowheader')}>
        {label}
      </View>
      {columns.map(({ orderId }, i) => (
        <View key={orderId} className={cx('ct-cell', best === i && 'ct-cell--best')} {...a11y('cell')}>
          <View>{values[i] ?? '—'}</View>
          {bars ? (
            <View className='ct-bar'>
              <View className='ct-bar__fill' style={{ width: `${Math.round(100 * (bars[i] ?? 0))}%` }} />
            </View>
          ) : null}
          {best === i ? <Tag tone='blue'>{copy.best(columns.length)}</Tag> : null}
        </View>
      ))}
    </View>
  )
}

/**
 * Comparison table with a sticky label column; numbers have bars, and the one that stands out is named. It begins with
 * the rows that differ, because most are the same.
 */
export function ComparisonTable({ contrast: { columns, rows } }: { contrast: Contrast }) {
  const different = rows.filter(hasDifferences)
  const [only, setOnly] = useState(different.length > 0)
  const shown = only ? different : rows
  return (
    <Card title={copy.table} extra={copy.counts(rows.length, different.length)} className='ct'>
      <View className='ct-only'>
        <View className='ct-only__word'>{copy.onlyDifferent}</View>
        <Switch name={copy.onlyDifferent} value={only} onChange={setOnly} />
      </View>
      {columns.length > 2 ? (
        <View className='ct-hint'>
          <Icon name='swap' size='s' />
          {copy.scroll}
        </View>
      ) : null}
      <ScrollView scrollX className='ct-scroll'>
        <View className={`ct-table ct-table--${columns.length}`} {...a11y('table', { label: copy.tableName })}>
          <Head columns={columns} />
          {shown.map((row) => (
            <Row key={row.label} row={row} columns={columns} />
          ))}
        </View>
      </ScrollView>
      {shown.length === 0 ? <View className='ct-hint'>{copy.allSame}</View> : null}
    </Card>
  )
}
