import { View } from '@tarojs/components'
import { rosterText, usualRosterWords } from '@/contract/form/answers'
import type { Option, RosterRow, RosterWords } from '@/contract/form/types'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Switch } from '@/ui/Switch/Switch'
import { DictField, nameIn, type PickerProps } from './DictField'
import { changeRow, type RosterRules, toggleRow } from './roster'
import './RosterPicker.scss'

interface Props extends PickerProps<RosterRow> {
  rules: RosterRules
  words?: RosterWords
}

/** Characters with copies, signature weapon and its refinement, entered under each chosen character. */
export function RosterPicker({ value, onChange, rules, words = usualRosterWords, ...p }: Props) {
  const detail = (option: Option) => {
    const row = value.find(({ v }) => v === option.v)
    const change = (part: Partial<RosterRow>) => onChange(changeRow(value, option.v, part, rules))
    return row ? <Detail option={option} row={row} rules={rules} words={words} onChange={change} /> : null
  }
  return (
    <DictField
      {...p}
      chosen={value.map((row) => ({ v: row.v, text: rosterText(nameIn(p.options, row.v), row, words) }))}
      onToggle={(v) => onChange(toggleRow(value, v, rules))}
      detail={detail}
    />
  )
}

interface DetailProps {
  option: Option
  row: RosterRow
  rules: RosterRules
  words: RosterWords
  onChange: (part: Partial<RosterRow>) => void
}

function Detail({ option, row, rules, words, onChange }: DetailProps) {
  return (
    <View className='ui-roster'>
      <Range
        label={words.dup}
        owner={option.t}
        range={rules.dup}
        value={row.dup}
        onChange={(dup) => onChange({ dup })}
      />
      {rules.sig ? (
        <View className='ui-roster__line'>
          <View className='ui-roster__label'>{words.sig}</View>
          <Switch
            name={`${option.t}有${words.sig}`}
            words={['有', '无']}
            value={row.sig === true}
            onChange={(sig) => onChange({ sig })}
          />
          {option.sig ? <View className='ui-roster__weapon'>{option.sig}</View> : null}
        </View>
      ) : null}
      {row.sig ? (
        <Range
          label={words.refine}
          owner={option.t}
          range={rules.refine}
          value={row.refine}
          onChange={(refine) => onChange({ refine })}
        />
      ) : null}
    </View>
  )
}

interface RangeProps {
  label: string
  owner: string
  range: readonly [number, number]
  value: number | undefined
  onChange: (n: number) => void
}

/** A small range of numbers as buttons. */
function Range({ label, owner, range: [min, max], value, onChange }: RangeProps) {
  const numbers = Array.from({ length: max - min + 1 }, (_, i) => min + i)
  return (
    <View className='ui-roster__line'>
      <View className='ui-roster__label'>{label}</View>
      <View className='ui-roster__numbers' {...a11y('radiogroup', { label: `${owner}的${label}` })}>
        {numbers.map((n) => (
          <Pressable
            key={n}
            role='radio'
            checked={n === value}
            className={cx('ui-roster__number', n === value && 'ui-roster__number--on')}
            onClick={() => onChange(n)}
          >
            {n}
          </Pressable>
        ))}
      </View>
    </View>
  )
}
