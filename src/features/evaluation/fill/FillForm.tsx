import { View } from '@tarojs/components'
import { pageScrollTo } from '@tarojs/taro'
import { useEffect, useRef, useState } from 'react'
import type { FormConfig, Mode } from '@/contract/form/types'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Notice } from '@/ui/Notice/Notice'
import { Progress } from '@/ui/Progress/Progress'
import { copy } from '../copy'
import { rememberGame } from '../games'
import { anchorOf, FieldInput } from './FieldInput'
import { asksPictures, firstError, reduceForm, sections } from './model'
import { type Fill, useFill } from './useFill'
import { useSubmit } from './useSubmit'
import './FillForm.scss'

/** design pixels kept free above a field that is scrolled to: title bar and progress */
const SCROLL_OFFSET = -128

interface Props {
  config: FormConfig
  mode: Mode
  onFormChanged: () => void
}

/** What is being filled and how far it is. */
function Head({ config, mode, fill }: Props & { fill: Fill }) {
  const { done, total } = fill.progress
  return (
    <View className='fill-head'>
      <View className='fill-head__row'>
        <GameTile gameId={config.gameId} name={config.name} size='s' />
        <View className='fill-head__name'>
          {config.name} · {copy.modes[mode]}
        </View>
      </View>
      <Progress done={done} total={total} label={copy.filled} />
    </View>
  )
}

function Restored({ restored }: Pick<Fill, 'restored'>) {
  const { older, dropped } = restored
  if (!older && dropped.length === 0) return null
  const text = [older ? copy.formUpdated : '', dropped.length > 0 ? copy.formDropped(dropped) : ''].join('')
  return <Notice tone='warn' text={text} />
}

/** Scrolls to the first error each time a submit was refused. */
function useJump(config: FormConfig, fill: Fill) {
  const [jumps, setJumps] = useState(0)
  const target = useRef<string | undefined>(undefined)
  target.current = firstError(config, fill.state)?.key
  useEffect(() => {
    if (jumps === 0 || target.current === undefined) return
    void pageScrollTo({ selector: `#${anchorOf(config, target.current)}`, offsetTop: SCROLL_OFFSET, duration: 250 })
  }, [jumps, config])
  return () => setJumps((n) => n + 1)
}

/** What stands in the way of submitting, in one line. */
function problem(config: FormConfig, fill: Fill): string | undefined {
  const { errors } = fill.state
  const keys = Object.keys(errors)
  // what is wrong may also stand in a field this form cannot show
  const first = firstError(config, fill.state)?.key ?? keys[0]
  return first === undefined ? undefined : copy.needFix(keys.length, errors[first] ?? '')
}

/** How far it is, and that nothing gets lost. */
function standing({ progress: { done, total }, draft: { savedAt } }: Fill): string {
  return `${copy.filled} ${done}/${total} · ${savedAt === undefined ? copy.autosave : copy.saved(savedAt)}`
}

interface BarProps {
  config: FormConfig
  mode: Mode
  fill: Fill
  busy: boolean
  failure: string | undefined
  onSubmit: () => void
}

/** The one button, what it costs, and what stands in its way. */
function SubmitBar({ config, mode, fill, busy, failure, onSubmit }: BarProps) {
  const trouble = problem(config, fill) ?? failure
  return (
    <ActionBar
      note={
        trouble && !busy ? (
          <View className='fill-trouble' {...a11y('alert')}>
            {trouble}
          </View>
        ) : (
          <View {...a11y('status')}>{busy ? copy.submitLocked : standing(fill)}</View>
        )
      }
      lead={
        mode === 'AI' ? (
          <View className='fill-free'>
            <View className='fill-free__price'>{copy.free}</View>
            <View className='fill-free__eta'>{copy.reportIn(config.estSeconds)}</View>
          </View>
        ) : undefined
      }
      primary={{ text: busy ? copy.submitting : copy.submit, loading: busy, onClick: onSubmit }}
    />
  )
}

/** The form of a game: groups, fields, draft, and the one button. */
export function FillForm({ config, mode, onFormChanged }: Props) {
  const fill = useFill(config, mode)
  const { state, send } = fill
  const { submit, busy, failure } = useSubmit({ config, mode, fill, onFormChanged })
  const jump = useJump(config, fill)
  useEffect(() => rememberGame(config.gameId), [config.gameId])

  function trySubmit() {
    const checked = reduceForm({ config, mode }, state, { type: 'submitted' })
    send({ type: 'submitted' })
    if (Object.keys(checked.errors).length > 0) jump()
    else void submit().then(jump)
  }

  return (
    <View className='fill'>
      <Head config={config} mode={mode} fill={fill} onFormChanged={onFormChanged} />
      <Restored restored={fill.restored} />
      {sections(config, state.answers).map(({ group, fields }) => (
        <Card key={group.key} title={group.title}>
          {fields.map((field) => (
            <FieldInput
              key={field.key}
              config={config}
              mode={mode}
              field={field}
              answer={state.answers[field.key]}
              error={state.errors[field.key]}
              warning={state.warnings[field.key]}
              send={send}
            />
          ))}
        </Card>
      ))}
      <View className='fill-notes'>
        {asksPictures(config) ? <View>{copy.pictures}</View> : null}
        <View>{copy.never}</View>
      </View>
      <SubmitBar {...{ config, mode, fill, busy, failure }} onSubmit={trySubmit} />
    </View>
  )
}
