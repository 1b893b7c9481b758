import { View } from '@tarojs/components'
import { keysOf } from '@/contract/labels'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Chip } from './Chip'

const groups = { tab: 'tablist', radio: 'radiogroup', checkbox: 'group' } as const

interface Props<V> {
  /** `tab`: switches what is shown below; `radio`: one of them; `checkbox`: any of them */
  role: keyof typeof groups
  /** accessible name of the choice */
  label?: string | undefined
  options: readonly { v: V; t: string }[]
  isOn: (v: V) => boolean
  isDisabled?: (v: V) => boolean
  onPick: (v: V) => void
  invalid?: boolean
  /** at the top of a page, with its side margins */
  page?: boolean
  className?: string
}

/** A choice with all options visible; they continue on the next line. */
export function Chips<V extends string | number | undefined>(p: Props<V>) {
  const { role, label, invalid, isDisabled } = p
  return (
    <View
      className={cx('ui-chips', p.page && 'ui-chips--page', p.className)}
      {...a11y(groups[role], { label, invalid })}
    >
      {p.options.map(({ v, t }) => (
        <Chip
          key={String(v)}
          role={role}
          selected={p.isOn(v)}
          disabled={isDisabled?.(v) ?? false}
          onClick={() => p.onPick(v)}
        >
          {t}
        </Chip>
      ))}
    </View>
  )
}

/** Options with the names of a table. */
export const optionsOf = <V extends string>(names: Readonly<Record<V, string>>) =>
  keysOf(names).map((v) => ({ v, t: names[v] }))
