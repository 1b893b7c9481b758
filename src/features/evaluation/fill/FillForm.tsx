import { View } from '@tarojs/components'
import { useEffect, useRef, useState } from 'react'
import { labelOf } from '@/contract/form/answers'
import type { Field, FormConfig, Mode } from '@/contract/form/types'
import type { PrefilledForm } from '@/contract/types'
import { nav } from '@/router/nav'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import { rememberGame } from '../games'
import { useManualService } from '../useManualService'
import { FieldInput, scrollToField } from './FieldInput'
import { FormSection } from './FormSection'
import {
  answerOriginOf,
  firstError,
  isSectionDone,
  isUnusedAside,
  reduceForm,
  sectionSummary,
  visibleSections,
} from './model'
import { PrefillOptions } from './PrefillOptions'
import { isQuotaUsed, SubmitBar } from './SubmitBar'
import { type FillFormState, useFillForm } from './useFillForm'
import { useSubmit } from './useSubmit'
import './FillForm.scss'

export interface FillFormProps {
  config: PrefilledForm
  mode: Mode
  /** key of the field at which the form opens */
  field?: string | undefined
  onFormChanged: () => void
  /** restarts from the draft */
  onReload: () => void
}

/** The game; the progress is in the bar, which stays in view. */
export function FormHeader({ config: { gameId, name } }: Pick<FillFormProps, 'config'>) {
  return (
    <View className='fill-head'>
      <GameTile gameId={gameId} size='s' />
      <View className='fill-head__name'>{name}</View>
    </View>
  )
}

export function RestoredNotice({ restored }: Pick<FillFormState, 'restored'>) {
  const { older, dropped } = restored
  if (!older && dropped.length === 0) return null
  const text = [older ? copy.formUpdated : '', dropped.length > 0 ? copy.formDropped(dropped) : ''].join('')
  return <Notice tone='warn' text={text} />
}

/** The draft was changed in another tab: saving is paused until the user chooses a version. */
export function EditedElsewhereNotice({ fill: { draft }, onReload }: { fill: FillFormState; onReload: () => void }) {
  if (!draft.conflict) return null
  return (
    <>
      <Notice tone='warn' text={copy.elsewhere} action={{ text: copy.elsewhereLoad, onClick: onReload }} />
      <Notice text={copy.elsewhereMine} action={{ text: copy.elsewhereKeep, onClick: draft.keepMine }} />
    </>
  )
}

/** Scrolls to the first error after each rejected submit. */
function useScrollToError(config: FormConfig, mode: Mode, fill: FillFormState) {
  const [jumps, setJumps] = useState(0)
  const target = useRef<string | undefined>(undefined)
  target.current = firstError(config, fill.state, mode)?.key
  useEffect(() => {
    if (jumps > 0 && target.current !== undefined) scrollToField(config, target.current)
  }, [jumps, config])
  return () => setJumps((n) => n + 1)
}

/** Origin of a prefilled answer, and its original value if the user has changed it. */
function markText(config: FormConfig, field: Field, { state }: FillFormState): string | undefined {
  const mark = answerOriginOf(state, field.key)
  if (!mark) return undefined
  const origin = copy.origin[mark.from]
  return 'was' in mark ? copy.corrected(origin, labelOf(config, field, mark.was)) : origin
}

export type FieldsOf = (field: Field, half?: boolean) => JSX.Element

/** Draws the inputs of a form, each with its answer and what is wrong with it. */
export const fieldInputs =
  (
    { config, mode }: Pick<FillFormProps, 'config' | 'mode'>,
    fill: FillFormState,
    onPending: (text: string | undefined) => void,
  ): FieldsOf =>
  (field, half = false) => (
    <FieldInput
      key={field.key}
      {...{ config, mode, field, half, onPending }}
      answer={fill.state.answers[field.key]}
      error={fill.state.errors[field.key]}
      warning={fill.state.warnings[field.key]}
      mark={markText(config, field, fill)}
      onSource={
        fill.state.filled[field.key]?.from === 'SCREENSHOT' &&
        fill.shots.read?.sources.some((source) => source.field === field.key)
          ? fill.shots.show
          : undefined
      }
      send={fill.send}
    />
  )

/** Submits when the form is valid and all uploads have finished. */
export function useValidatedSubmit(
  { config, mode, onFormChanged, remark }: Omit<FillFormProps, 'onReload'> & { remark?: string | undefined },
  fill: FillFormState,
) {
  const [pending, setPending] = useState<string>()
  const [waits, setWaits] = useState(false)
  const { submit, busy, failure } = useSubmit({ config, mode, remark, fill, onFormChanged })
  const jump = useScrollToError(config, mode, fill)
  function onSubmit() {
    const checked = reduceForm({ config, mode }, fill.state, { type: 'submitted' })
    fill.send({ type: 'submitted' })
    setWaits(pending !== undefined)
    if (Object.keys(checked.errors).length > 0) jump()
    else if (!pending) void submit().then(jump)
  }
  const failed = waits && pending ? { text: pending } : failure
  return { onSubmit, pending, setPending, busy, failure: failed }
}

/** Switches to manual valuation with the same answers; undefined if the game has none. */
function switchToManual({ config, mode }: FillFormProps, fill: FillFormState): (() => void) | undefined {
  if (mode === 'MANUAL' || !config.modes.includes('MANUAL')) return undefined
  return () => {
    fill.carryToManual()
    void nav.redirect('evaluationFillInInfo', { gameId: config.gameId, mode: 'MANUAL' })
  }
}

/**
 * Which sections are folded: unused ones without a question that moves the price, and finished ones. These fold only while the form scrolls to the next field, so that nothing moves while
 * the user reads or types.
 */
function useFolding(
  { config, mode, field }: Pick<FillFormProps, 'config' | 'mode' | 'field'>,
  { state }: FillFormState,
) {
  const shown = visibleSections(config, state.answers, mode)
  const [folded, setFolded] = useState<ReadonlySet<string>>(
    () => new Set(shown.filter(isUnusedAside(state.answers)).map(({ group }) => group.key)),
  )
  const [target, setTarget] = useState(field === undefined ? undefined : { key: field })
  const sections = shown.map((section) => ({
    ...section,
    done: isSectionDone(config, section, state, mode),
    folded: folded.has(section.group.key),
  }))
  useEffect(() => {
    if (target) scrollToField(config, target.key)
  }, [target, config])
  return {
    sections,
    fold(key: string, closed: boolean) {
      setFolded((before) => new Set(closed ? [...before, key] : [...before].filter((other) => other !== key)))
    },
    /** Folds finished sections, then scrolls to the field once they are rendered. */
    goTo(key: string) {
      setFolded(new Set(sections.filter(({ done, folded }) => done || folded).map(({ group }) => group.key)))
      setTarget({ key })
    },
  }
}

/** The form of an AI valuation: groups, fields, draft and submit bar. */
export function FillForm(props: FillFormProps) {
  const { config, mode } = props
  const fill = useFillForm(config, mode)
  const { onSubmit, setPending, busy, failure } = useValidatedSubmit(props, fill)
  const { state } = fill
  const input = fieldInputs(props, fill, setPending)
  const { available } = useManualService()
  const toManual = available ? switchToManual(props, fill) : undefined
  const { sections, fold, goTo } = useFolding(props, fill)
  useEffect(() => rememberGame(config.gameId), [config.gameId])

  return (
    <View className='fill'>
      <View className='fill-columns'>
        <View className='fill-column'>
          <FormHeader config={config} />
          <PrefillOptions {...{ config, mode, fill }} onMore={() => fill.shots.setOpen(true)} />
          <RestoredNotice restored={fill.restored} />
          <EditedElsewhereNotice fill={fill} onReload={props.onReload} />
          {isQuotaUsed(config) ? (
            <Notice text={copy.quotaUsed} action={toManual && { text: copy.useManual, onClick: toManual }} />
          ) : null}
        </View>
        <View className='fill-column'>
          {sections.map(({ group, fields, done, folded }) => (
            <FormSection
              key={group.key}
              title={group.title}
              fields={fields}
              done={done}
              collapsed={folded}
              summary={sectionSummary(config, { group, fields }, state.answers)}
              onCollapse={(closed) => fold(group.key, closed)}
              input={input}
            />
          ))}
        </View>
      </View>
      <SubmitBar {...{ config, mode, fill, busy, failure, onSubmit }} toManual={toManual} onNext={goTo} />
    </View>
  )
}
