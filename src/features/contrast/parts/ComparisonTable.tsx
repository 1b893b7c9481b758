import { ScrollView, View } from '@tarojs/components'
import { useState } from 'react'
import type { Contrast } from '@/contract/types'
import { nav } from '@/router/nav'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
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

/** The rows that differ, with a sticky label column; numbers have bars, and the one that stands out is named. */
export function ComparisonTable({ contrast: { columns, rows } }: { contrast: Contrast }) {
  const different = rows.filter(hasDifferences)
  const [all, setAll] = useState(false)
  const shown = all ? rows : different
  return (
    <Card title={copy.table} extra={copy.counts(rows.length, different.length)} className='ct'>
      <ScrollView scrollX className='ct-scroll'>
        <View className={`ct-table ct-table--${columns.length}`} {...a11y('table', { label: copy.table })}>
          <Head columns={columns} />
          {shown.map((row) => (
            <Row key={row.label} row={row} columns={columns} />
          ))}
        </View>
      </ScrollView>
      {different.length < rows.length ? (
        <Disclosure open={all} onToggle={setAll} text={all ? copy.onlyDifferent : copy.allRows} />
      ) : null}
    </Card>
  )
}
