import { pageScrollTo } from '@tarojs/taro'
import { memo, type ReactNode, useEffect } from 'react'
import { usePictures } from '@/api/usePictures'
import { optionsOf, saysNone } from '@/contract/form/answers'
import type { Answer, Field, FieldType, FormConfig, GradedTag, Mode, RosterRow } from '@/contract/form/types'
import { isRequired } from '@/contract/form/validate'
import { Button } from '@/ui/Button/Button'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { Pressable } from '@/ui/Pressable/Pressable'
import { TextArea } from '@/ui/TextArea/TextArea'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { CascaderPicker } from './fields/CascaderPicker'
import { ChipSelect } from './fields/ChipSelect'
import { GradedTagPicker } from './fields/GradedTagPicker'
import { MultiSelect } from './fields/MultiSelect'
import { NumberInput } from './fields/NumberInput'
import { RosterPicker } from './fields/RosterPicker'
import { SheetSelect } from './fields/SheetSelect'
import { TagPicker } from './fields/TagPicker'
import type { FormEvent } from './model'

/** More options open in a sheet. A required field shows more of them: then one tap is enough. */
const MAX_CHIP_OPTIONS = { optional: 6, required: 14 }

export interface FieldInputProps {
  config: FormConfig
  mode: Mode
  field: Field
  answer: Answer | undefined
  error: string | undefined
  warning: string | undefined
  /** origin of an answer that was not typed */
  mark: string | undefined
  /** shows where on a screenshot the answer was read */
  onSource?: ((key: string) => void) | undefined
  send: (event: FormEvent) => void
  /** uploads have started or finished */
  onPending: (pending: string | undefined) => void
}

/** Element id of a field, for scrolling to errors. */
const anchorOf = (config: FormConfig, key: string) => `field-${config.gameId}-${key}`

/** design pixels kept free above a field that is scrolled to: title bar and progress */
const SCROLL_OFFSET = -128

/** Scrolls a field into view. */
export function scrollToField(config: FormConfig, key: string) {
  void pageScrollTo({ selector: `#${anchorOf(config, key)}`, offsetTop: SCROLL_OFFSET, duration: 250 })
}

/** Props shared by all controls. */
function commonProps({ config, mode, field, error, warning, mark, onSource, send }: FieldInputProps) {
  const { key, label, help, helpImage } = field
  return {
    id: anchorOf(config, key),
    label,
    help,
    helpImage,
    extra: onSource ? (
      <Pressable className='field-source' label={copy.sourceOf(label)} onClick={() => onSource(key)}>
        {mark}
      </Pressable>
    ) : (
      mark
    ),
    error,
    warning,
    required: isRequired(field, mode),
    onBlur: () => send({ type: 'left', key }),
    set: (answer: Answer | undefined) => send({ type: 'changed', key, answer }),
  }
}

type Control = (p: FieldInputProps) => ReactNode

const NumberControl: Control = (p) => {
  const { set, ...rest } = commonProps(p)
  const { min, max, scale } = p.field.rules
  return (
    <NumberInput
      {...rest}
      {...{ min, max }}
      scale={p.field.type === 'int' ? 0 : (scale ?? 0)}
      unit={p.field.unit}
      value={p.answer as number | string | undefined}
      onChange={set}
    />
  )
}

/** Identifiers are often pasted with spaces, dashes or full-width digits: keep only the digits. */
const onlyDigits = (raw: string) => raw.normalize('NFKC').replace(/\D/g, '')

const TextControl: Control = (p) => {
  const { set, ...rest } = commonProps(p)
  const { maxLen, pattern } = p.field.rules
  const digits = pattern?.startsWith('^\\d') === true
  return (
    <TextInput
      {...rest}
      placeholder={p.field.placeholder}
      clean={digits ? onlyDigits : undefined}
      value={(p.answer as string | undefined) ?? ''}
      onChange={(text) => set(text === '' ? undefined : text)}
      maxLength={maxLen}
      keyboard={digits ? 'int' : 'text'}
    />
  )
}

const LongTextControl: Control = (p) => {
  const { set, ...rest } = commonProps(p)
  return (
    <TextArea
      {...rest}
      placeholder={p.field.placeholder}
      value={(p.answer as string | undefined) ?? ''}
      onChange={(text) => set(text === '' ? undefined : text)}
      maxLength={p.field.rules.maxLen}
    />
  )
}

const SelectControl: Control = (p) => {
  const { set, ...rest } = commonProps(p)
  const options = optionsOf(p.config, p.field)
  const most = MAX_CHIP_OPTIONS[rest.required ? 'required' : 'optional']
  const Pick = options.length <= most ? ChipSelect : SheetSelect
  return <Pick {...rest} options={options} value={p.answer as string | undefined} onChange={set} />
}

const yesNo = [
  { v: 'yes', t: copy.yes },
  { v: 'no', t: copy.no },
]

/** Two chips instead of a switch, because an unanswered question must not look like 否. */
const YesNoControl: Control = (p) => {
  const { set, ...rest } = commonProps(p)
  const value = p.answer === undefined ? undefined : p.answer ? 'yes' : 'no'
  return (
    <ChipSelect
      {...rest}
      options={yesNo}
      value={value}
      onChange={(v) => set(v === undefined ? undefined : v === 'yes')}
    />
  )
}

/** An empty list counts as unanswered. */
const nonEmpty = <T,>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)

/** Props shared by the controls of lists. */
function listProps<T extends string | GradedTag | RosterRow>(p: FieldInputProps) {
  const { set, ...rest } = commonProps(p)
  return {
    ...rest,
    options: optionsOf(p.config, p.field),
    value: (p.answer as T[] | undefined) ?? [],
    onChange: (list: T[]) => set(nonEmpty(list) as Answer | undefined),
    maxItems: p.field.rules.maxItems,
  }
}

/** An optional list has one tap for “none”: left open, it would count at the usual level. */
const withNone =
  (List: Control): Control =>
  (p) => {
    const none = saysNone(p.field, p.answer)
    const asks = !isRequired(p.field, p.mode) && p.field.role.startsWith('value') && (none || p.answer === undefined)
    const send = (answer: Answer | undefined) => p.send({ type: 'changed', key: p.field.key, answer })
    return (
      <>
        <List {...p} />
        {asks ? (
          <Button
            kind={none ? 'secondary' : 'ghost'}
            size='s'
            {...(none && { icon: 'check' as const })}
            label={copy.noneOf(p.field.label)}
            onClick={() => send(none ? undefined : [])}
          >
            {copy.none}
          </Button>
        ) : null}
      </>
    )
  }

const ManyControl: Control = (p) => {
  const Pick = p.field.type === 'multi' ? MultiSelect : TagPicker
  return <Pick {...listProps<string>(p)} />
}

const GradedControl: Control = (p) => <GradedTagPicker {...listProps<GradedTag>(p)} grades={p.field.grades ?? []} />

/** Shared empty array: a new one at each render would break memoisation. */
const none: string[] = []
/** used when the form sets no limit */
const DEFAULT_MAX_PICTURES = 9

/** Screenshots of the account, as keys of uploaded files. */
function Pictures(p: FieldInputProps) {
  const { set, onBlur: _never, ...rest } = commonProps(p)
  const { onPending } = p
  const keys = (p.answer as string[] | undefined) ?? none
  const max = p.field.rules.maxItems ?? DEFAULT_MAX_PICTURES
  const { picker, pending } = usePictures({ scene: 'ACCOUNT', keys, onKeys: (next) => set(nonEmpty(next)), max })
  useEffect(() => {
    onPending(pending)
    return () => onPending(undefined)
  }, [pending, onPending])
  return <ImagePicker {...rest} {...picker} />
}

const RosterControl: Control = (p) => {
  const { roster } = p.field
  return roster ? <RosterPicker {...listProps<RosterRow>(p)} rules={roster} words={roster.words} /> : null
}

const PathControl: Control = (p) => <CascaderPicker {...listProps<string>(p)} />

const controls: Record<FieldType, Control> = {
  int: NumberControl,
  decimal: NumberControl,
  text: TextControl,
  textarea: LongTextControl,
  select: SelectControl,
  bool: YesNoControl,
  multi: withNone(ManyControl),
  tags: withNone(ManyControl),
  tagsGrade: withNone(GradedControl),
  roster: withNone(RosterControl),
  cascader: PathControl,
  image: (p) => <Pictures {...p} />,
}

/** Input for one field, memoised because forms are long and every keystroke re-renders them. */
export const FieldInput = memo(function FieldInput(props: FieldInputProps) {
  const Control = controls[props.field.type]
  return <Control {...props} />
})
