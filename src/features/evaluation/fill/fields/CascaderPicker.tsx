import { View } from '@tarojs/components'
import { useState } from 'react'
import { cascaderPath } from '@/contract/form/answers'
import type { Option } from '@/contract/form/types'
import { a11y } from '@/ui/a11y'
import { Chip } from '@/ui/Chip/Chip'
import { Field } from '@/ui/Field/Field'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import type { PickerProps } from './DictField'
import { Opener } from './Opener'
import './CascaderPicker.scss'

type Props = Omit<PickerProps<string>, 'maxItems'>

/** Selects a path in a tree, e.g. 段位 → 小段. The last step closes the sheet; only complete paths are answers. */
export function CascaderPicker(p: Props) {
  const [open, setOpen] = useState(false)
  const { options, value, onChange } = p
  const path = cascaderPath(options, value)
  return (
    <Field {...p}>
      <Opener
        name={p.label}
        text={path && path.length > 0 ? path.map(({ t }) => t).join(' / ') : undefined}
        placeholder='请选择'
        invalid={p.error !== undefined}
        disabled={p.disabled}
        open={open}
        onClick={() => setOpen(true)}
      />
      <Sheet open={open} onClose={() => setOpen(false)} title={p.label}>
        <Levels
          tree={options}
          start={path?.map(({ v }) => v) ?? []}
          onDone={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      </Sheet>
    </Field>
  )
}

interface LevelsProps {
  tree: readonly Option[]
  /** initial path; a complete one opens at its last level */
  start: readonly string[]
  onDone: (path: string[]) => void
}

function Levels({ tree, start, onDone }: LevelsProps) {
  const [steps, setSteps] = useState<readonly string[]>(start.slice(0, -1))
  const above = cascaderPath(tree, steps) ?? []
  const level = above.length > 0 ? (above[above.length - 1]?.children ?? []) : tree
  const choose = ({ v, children }: Option) => (children?.length ? setSteps([...steps, v]) : onDone([...steps, v]))
  return (
    <View>
      {above.length > 0 ? (
        <View className='ui-cascader__path'>
          <View className='ui-chips'>
            {above.map(({ v, t }, i) => (
              <Chip key={v} selected removable label={`重选，现在是 ${t}`} onClick={() => setSteps(steps.slice(0, i))}>
                {t}
              </Chip>
            ))}
          </View>
        </View>
      ) : null}
      <View {...a11y('radiogroup')}>
        {level.map((option) => (
          <Choice
            key={option.v}
            kind='radio'
            on={start[steps.length] === option.v}
            more={Boolean(option.children?.length)}
            onClick={() => choose(option)}
          >
            {option.t}
          </Choice>
        ))}
      </View>
    </View>
  )
}
