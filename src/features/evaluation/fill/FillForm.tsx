import { View } from '@tarojs/components'
import { useEffect, useRef, useState } from 'react'
import { labelOf } from '@/contract/form/answers'
import { screenshotsFor } from '@/contract/form/screenshots'
import type { Field, FormConfig, Mode } from '@/contract/form/types'
import { unansweredFields } from '@/contract/form/validate'
import type { ManualLevel } from '@/contract/labels'
import type { PrefilledForm } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import { rememberGame } from '../games'
import { useManualService } from '../useManualService'
import { FieldInput, scrollToField } from './FieldInput'
import { FormSection } from './FormSection'
import { ManualLevelPicker } from './ManualLevelPicker'
import { MissingFieldsSheet } from './MissingFieldsSheet'
import { answerOriginOf, firstError, isSectionDone, reduceForm, sectionSummary, visibleSections } from './model'
import { PrefillOptions } from './PrefillOptions'
import { ScreenshotChecklist } from './ScreenshotChecklist'
import { isQuotaUsed, SubmitBar } from './SubmitBar'
import { type FillFormState, useFillForm } from './useFillForm'
import { useSubmit } from './useSubmit'
import './FillForm.scss'

interface Props {
  config: PrefilledForm
  mode: Mode
  onFormChanged: () => void
  /** restarts from the draft */
  onReload: () => void
}

/** Game and mode; the progress is in the bar, which stays in view. */
function FormHeader({ config, mode }: Pick<Props, 'config' | 'mode'>) {
  return (
    <View className='fill-head'>
      <GameTile gameId={config.gameId} size='s' />
      <View className='fill-head__name'>{`${config.name} · ${copy.modes[mode]}`}</View>
    </View>
  )
}

function RestoredNotice({ restored }: Pick<FillFormState, 'restored'>) {
  const { older, dropped } = restored
  if (!older && dropped.length === 0) return null
  const text = [older ? copy.formUpdated : '', dropped.length > 0 ? copy.formDropped(dropped) : ''].join('')
  return <Notice tone='warn' text={text} />
}

/** The draft was changed in another tab: saving is paused until the user chooses a version. */
function EditedElsewhereNotice({ fill: { draft }, onReload }: { fill: FillFormState; onReload: () => void }) {
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

/** Asks once about unanswered fields that affect the price; manual valuations do not need it. */
function useMissingFieldsPrompt(config: FormConfig, mode: Mode, fill: FillFormState) {
  const [open, setOpen] = useState(false)
  const prompted = useRef(false)
  const fields = unansweredFields(config, fill.state.answers, mode)
  const end = (then: () => void) => {
    setOpen(false)
    then()
  }
  return {
    /** Whether to prompt instead of submitting. */
    needed() {
      if (mode !== 'AI' || prompted.current || fields.length === 0) return false
      prompted.current = true
      setOpen(true)
      return true
    },
    end,
    question: {
      fields,
      open,
      onClose: () => setOpen(false),
      onPick: (key: string) => end(() => scrollToField(config, key)),
    },
  }
}

const picturesSent = ({ fields }: FormConfig, { state: { answers } }: FillFormState) =>
  fields.reduce(
    (n, { type, key }) => n + (type === 'image' ? ((answers[key] as string[] | undefined)?.length ?? 0) : 0),
    0,
  )

function scrollToPictures(config: FormConfig) {
  const field = config.fields.find(({ type }) => type === 'image')
  if (field) scrollToField(config, field.key)
}

/** Asks once about screenshots that an appraiser needs. @returns whether to submit now */
function useScreenshotPrompt(config: FormConfig, mode: Mode, fill: FillFormState) {
  const prompted = useRef(false)
  return async () => {
    const [sent, wanted] = [picturesSent(config, fill), screenshotsFor(config).length]
    if (mode !== 'MANUAL' || prompted.current || sent >= wanted) return true
    prompted.current = true
    const words = { title: copy.shotsFewTitle, content: copy.shotsFew(sent, wanted) }
    return !(await dialog.confirm({ ...words, confirmText: copy.shotsAdd, cancelText: copy.shotsSkip }))
  }
}

/** Submits when the form is valid and all uploads have finished. */
function useValidatedSubmit({ config, mode, onFormChanged }: Props, fill: FillFormState, level: ManualLevel) {
  const [pending, setPending] = useState<string>()
  const [waits, setWaits] = useState(false)
  const { submit, busy, failure } = useSubmit({ config, mode, level, fill, onFormChanged })
  const jump = useScrollToError(config, mode, fill)
  const prompt = useMissingFieldsPrompt(config, mode, fill)
  const enoughPictures = useScreenshotPrompt(config, mode, fill)
  async function sendWithPictures() {
    if (!(await enoughPictures())) return scrollToPictures(config)
    await submit()
    jump()
  }
  const send = () => void sendWithPictures()
  function onSubmit() {
    const checked = reduceForm({ config, mode }, fill.state, { type: 'submitted' })
    fill.send({ type: 'submitted' })
    setWaits(pending !== undefined)
    if (Object.keys(checked.errors).length > 0) jump()
    else if (!pending && !prompt.needed()) send()
  }
  const failed = waits && pending ? { text: pending } : failure
  return {
    onSubmit,
    setPending,
    busy,
    failure: failed,
    question: { ...prompt.question, onSubmit: () => prompt.end(send) },
  }
}

/** Switches to manual valuation with the same answers; undefined if the game has none. */
function switchToManual({ config, mode }: Props, fill: FillFormState): (() => void) | undefined {
  if (mode === 'MANUAL' || !config.modes.includes('MANUAL')) return undefined
  return () => {
    fill.carryToManual()
    void nav.redirect('evaluationFillInInfo', { gameId: config.gameId, mode: 'MANUAL' })
  }
}

/**
 * Which finished sections are folded. They fold only while the form scrolls to the next field, so that nothing moves while
 * the user reads or types.
 */
function useFolding({ config, mode }: Pick<Props, 'config' | 'mode'>, { state }: FillFormState) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [target, setTarget] = useState<{ key: string }>()
  const sections = visibleSections(config, state.answers, mode).map((section) => {
    const done = isSectionDone(config, section, state, mode)
    return { ...section, done, folded: done && folded.has(section.group.key) }
  })
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
      setFolded(new Set(sections.filter(({ done }) => done).map(({ group }) => group.key)))
      setTarget({ key })
    },
  }
}

/** The form of a game: groups, fields, draft and submit bar. */
export function FillForm(props: Props) {
  const { config, mode } = props
  const fill = useFillForm(config, mode)
  const [level, setLevel] = useState<ManualLevel>('STD')
  const { onSubmit, setPending, busy, failure, question } = useValidatedSubmit(props, fill, level)
  const { state, send } = fill
  const { available, prices: shown } = useManualService()
  const prices = shown ? config.levelFen : undefined
  const toManual = available ? switchToManual(props, fill) : undefined
  const { sections, fold, goTo } = useFolding(props, fill)
  useEffect(() => rememberGame(config.gameId), [config.gameId])

  return (
    <View className='fill'>
      <View className='fill-columns'>
        <View className='fill-column'>
          <FormHeader config={config} mode={mode} />
          <PrefillOptions config={config} mode={mode} fill={fill} />
          <RestoredNotice restored={fill.restored} />
          <EditedElsewhereNotice fill={fill} onReload={props.onReload} />
          {mode === 'AI' && isQuotaUsed(config) ? (
            <Notice text={copy.quotaUsed} action={toManual && { text: copy.useManual, onClick: toManual }} />
          ) : null}
          {mode === 'MANUAL' ? <ScreenshotChecklist config={config} sent={picturesSent(config, fill)} /> : null}
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
              input={(field, half) => (
                <FieldInput
                  key={field.key}
                  config={config}
                  mode={mode}
                  field={field}
                  answer={state.answers[field.key]}
                  error={state.errors[field.key]}
                  warning={state.warnings[field.key]}
                  mark={markText(config, field, fill)}
                  send={send}
                  onPending={setPending}
                  half={half}
                />
              )}
            />
          ))}
          {mode === 'MANUAL' ? <ManualLevelPicker prices={prices} value={level} onChange={setLevel} /> : null}
          <View className='fill-notes'>
            {mode === 'MANUAL' ? <View>{copy.checkoutNote}</View> : null}
            <View>{copy.never}</View>
          </View>
        </View>
      </View>
      <MissingFieldsSheet {...question} />
      <SubmitBar
        {...{ config, mode, level, prices, fill, busy, failure, onSubmit }}
        toManual={toManual}
        onNext={goTo}
      />
    </View>
  )
}
