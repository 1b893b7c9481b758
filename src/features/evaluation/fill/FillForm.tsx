import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { usePayStatus } from '@/api/usePayStatus'
import type { Field, Mode } from '@/contract/form/types'
import type { PrefilledForm } from '@/contract/types'
import { nav } from '@/router/nav'
import { appState } from '@/session/store'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import { rememberGame } from '../games'
import { FieldInput, scrollToField } from './FieldInput'
import { FormSection } from './FormSection'
import { answerOriginOf, firstError, isUnusedAside, reduceForm, visibleSections } from './model'
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

/** Origin of a prefilled answer. */
function markText({ key }: Field, { state }: FillFormState): string | undefined {
  const from = answerOriginOf(state, key)
  return from && copy.origin[from]
}

export type FieldsOf = (field: Field) => JSX.Element

/** Draws the inputs of a form, each with its answer and what is wrong with it. */
export const fieldInputs =
  (
    { config, mode }: Pick<FillFormProps, 'config' | 'mode'>,
    fill: FillFormState,
    onPending: (text: string | undefined) => void,
  ): FieldsOf =>
  (field) => (
    <FieldInput
      key={field.key}
      {...{ config, mode, field, onPending }}
      answer={fill.state.answers[field.key]}
      error={fill.state.errors[field.key]}
      warning={fill.state.warnings[field.key]}
      mark={markText(field, fill)}
      onSource={
        answerOriginOf(fill.state, field.key) === 'SCREENSHOT' &&
        fill.shots.read?.sources.some((source) => source.field === field.key)
          ? fill.shots.show
          : undefined
      }
      send={fill.send}
    />
  )

/**
 * Submits when the form is valid and all uploads have finished.
 * @param show brings a wrong field into view
 * @param remark manual: goes to the appraiser
 */
export function useValidatedSubmit(
  { config, mode, onFormChanged }: FillFormProps,
  fill: FillFormState,
  show: (key: string) => void,
  remark?: string,
) {
  const [pending, setPending] = useState<string>()
  const [waits, setWaits] = useState(false)
  const { submit, busy, failure } = useSubmit({ config, mode, fill, show, remark, onFormChanged })
  /** Shows the first wrong field. @returns whether there is none */
  function check(): boolean {
    const checked = reduceForm({ config, mode }, fill.state, { type: 'submitted' })
    fill.send({ type: 'submitted' })
    const wrong = firstError(config, checked, mode)
    if (wrong) show(wrong.key)
    return Object.keys(checked.errors).length === 0
  }
  function onSubmit() {
    setWaits(pending !== undefined)
    if (check() && !pending) void submit()
  }
  return { onSubmit, check, pending, setPending, busy, failure: waits && pending ? pending : failure }
}

/** Switches to manual valuation with the same answers; undefined if the game has none. */
function switchToManual({ config, mode }: FillFormProps, fill: FillFormState): (() => void) | undefined {
  if (mode === 'MANUAL' || !config.modes.includes('MANUAL')) return undefined
  return () => {
    fill.carryToManual()
    void nav.redirect('evaluationFillInInfo', { gameId: config.gameId, mode: 'MANUAL' })
  }
}

/** The form of an AI valuation: groups, fields, draft and submit bar. */
export function FillForm(props: FillFormProps) {
  const { config, mode, field } = props
  const fill = useFillForm(config, mode)
  const goTo = (key: string) => scrollToField(config, key)
  const { onSubmit, setPending, busy, failure } = useValidatedSubmit(props, fill, goTo)
  const input = fieldInputs(props, fill, setPending)
  const { manual } = usePayStatus(appState().platform)
  const toManual = manual ? switchToManual(props, fill) : undefined
  useEffect(() => rememberGame(config.gameId), [config.gameId])
  useEffect(() => {
    if (field !== undefined) scrollToField(config, field)
  }, [config, field])

  return (
    <View className='fill'>
      <View className='fill-columns'>
        <View className='fill-column'>
          <FormHeader config={config} />
          <PrefillOptions {...{ config, mode, fill }} onMore={() => fill.shots.setOpen(true)} />
          <RestoredNotice restored={fill.restored} />
          {isQuotaUsed(config) ? (
            <Notice text={copy.quotaUsed} action={toManual && { text: copy.useManual, onClick: toManual }} />
          ) : null}
        </View>
        <View className='fill-column'>
          {visibleSections(config, fill.state.answers, mode).map(({ group, fields }) => (
            <FormSection
              key={group.key}
              title={group.title}
              fields={fields}
              aside={isUnusedAside(fields, fill.state, field)}
              input={input}
            />
          ))}
        </View>
      </View>
      <SubmitBar {...{ config, mode, fill, busy, failure, onSubmit }} onNext={goTo} />
    </View>
  )
}
