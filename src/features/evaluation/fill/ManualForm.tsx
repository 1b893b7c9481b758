import { View } from '@tarojs/components'
import { nextTick, pageScrollTo } from '@tarojs/taro'
import { useEffect, useRef, useState } from 'react'
import { screenshotName, screenshotsFor, screenshotsMissing } from '@/contract/form/screenshots'
import type { Field } from '@/contract/form/types'
import { dialog } from '@/platform/dialog'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Chips } from '@/ui/Chip/Chips'
import { cx } from '@/ui/cx'
import { copy } from '../copy'
import { rememberGame } from '../games'
import { ReadState } from '../screenshots/ScreenshotFill'
import { useReading } from '../screenshots/useScreenshots'
import { scrollToField } from './FieldInput'
import {
  type FieldsOf,
  type FillFormProps,
  FormHeader,
  fieldInputs,
  RestoredNotice,
  useValidatedSubmit,
} from './FillForm'
import { fieldLines } from './FormSection'
import { nextMissing, visibleSections } from './model'
import { PrefillOptions } from './PrefillOptions'
import { firstProblem, NextField, Trouble } from './SubmitBar'
import { type FillFormState, useFillForm } from './useFillForm'
import './ManualForm.scss'

type Props = Omit<FillFormProps, 'mode'>
const mode = 'MANUAL'

/** In which step a field is asked for: pictures first, free text last. */
const stepOf = ({ type }: Field) => (type === 'image' ? 0 : type === 'textarea' ? 2 : 1)
const LAST_STEP = copy.manualSteps.length - 1

/** Where the user is, and what comes. */
function StepBar({ step }: { step: number }) {
  return (
    <View className='steps' {...a11y('list')}>
      {copy.manualSteps.map((name, i) => (
        <View key={name} className={cx('steps__one', i <= step && 'steps__one--on')} {...a11y('listitem')}>
          {`${i + 1} ${name}`}
        </View>
      ))}
    </View>
  )
}

interface FactsProps extends Pick<Props, 'config'> {
  fill: FillFormState
  fields: FieldsOf
  /** key of the chosen group */
  chosen: string | undefined
  onChoose: (key: string) => void
}

/** The groups of facts as tabs: only the chosen one takes room. */
function Facts({ config, fill, fields, chosen, onChoose }: FactsProps) {
  const sections = visibleSections(config, fill.state.answers, mode)
    .map(({ group, fields: all }) => ({ group, fields: all.filter((field) => stepOf(field) === 1) }))
    .filter((section) => section.fields.length > 0)
  const open = sections.find(({ group }) => group.key === chosen) ?? sections[0]
  return (
    <>
      <Chips
        page
        role='tab'
        options={sections.map(({ group: { key, title } }) => ({ v: key, t: title }))}
        isOn={(key) => key === open?.group.key}
        onPick={onChoose}
      />
      {open ? <Card>{fieldLines(open.fields, fields)}</Card> : null}
    </>
  )
}

const contactTimes = copy.contactTimes.map((t, i) => ({ v: i === 0 ? '' : t, t }))
const none: readonly string[] = []

/**
 * Reads the pictures of the form, and asks once for those that an appraiser needs and that none of them is. Without a
 * recogniser only a form without pictures is asked about.
 * @returns whether to go on
 */
function usePictureCheck({ config, fill }: Pick<Props, 'config'> & { fill: FillFormState }, isUploading: boolean) {
  const prompted = useRef(false)
  const { shots, state } = fill
  const image = config.fields.find(({ type }) => type === 'image')
  const sent = (image && (state.answers[image.key] as string[] | undefined)) ?? none
  useReading(shots, config.screenshots ? sent : none, isUploading)
  return async () => {
    const read = sent.length === 0 ? {} : shots.busy ? undefined : shots.read?.answers
    const missing = read ? screenshotsMissing(config, read) : []
    if (prompted.current || missing.length === 0) return true
    prompted.current = true
    const words = { title: copy.shotsFewTitle, content: copy.shotsFew(missing.map(screenshotName)) }
    return !(await dialog.confirm({ ...words, confirmText: copy.shotsAdd, cancelText: copy.shotsSkip }))
  }
}

/** The form of a human valuation: pictures, facts, remark. Each step fits a screen, and the draft keeps all of them. */
export function ManualForm({ config, onFormChanged }: Props) {
  const fill = useFillForm(config, mode)
  const [step, setStep] = useState(0)
  const [group, setGroup] = useState<string>()
  // when the appraiser may ask back; without a choice at any time
  const [time, setTime] = useState('')
  const remark = time ? copy.contactRemark(time) : undefined
  /** Opens the step and the group of a field. */
  const show = (key: string) => {
    const field = config.fields.find((asked) => asked.key === key)
    if (!field) return
    setStep(stepOf(field))
    setGroup(field.group)
    nextTick(() => scrollToField(config, key))
  }
  const { onSubmit, check, pending, setPending, busy, failure } = useValidatedSubmit(
    { config, mode, onFormChanged },
    fill,
    show,
    remark,
  )
  const { state } = fill
  useEffect(() => rememberGame(config.gameId), [config.gameId])
  const hasPictures = usePictureCheck({ config, fill }, pending !== undefined)
  const goTo = (to: number) => {
    setStep(to)
    setGroup(nextMissing(config, state.answers, mode)?.group)
    void pageScrollTo({ scrollTop: 0, duration: 0 })
  }
  const next = async () => {
    if (step === 0 || check()) goTo((await hasPictures()) ? step + 1 : 0)
  }
  const input = fieldInputs({ config, mode }, fill, setPending)
  const asked = visibleSections(config, state.answers, mode).flatMap(({ fields }) => fields)
  const inputs = asked.filter((field) => stepOf(field) === step).map(input)
  const trouble = firstProblem(config, mode, fill) ?? failure
  const back = step > 0 ? { text: copy.back, onClick: () => goTo(step - 1) } : undefined
  return (
    <>
      {step === 0 ? <FormHeader config={config} /> : null}
      <StepBar step={step} />
      <RestoredNotice restored={fill.restored} />
      {step === 0 ? (
        <Card>
          {inputs}
          <View className='steps-note'>{copy.shotsWanted(screenshotsFor(config).map(screenshotName))}</View>
          <ReadState shots={fill.shots} />
        </Card>
      ) : null}
      {step === 1 ? (
        <>
          <PrefillOptions {...{ config, mode, fill }} onMore={() => goTo(0)} />
          <Facts {...{ config, fill }} fields={input} chosen={group} onChoose={setGroup} />
          <View className='steps-end' />
        </>
      ) : null}
      {step === LAST_STEP ? (
        <>
          {inputs.length > 0 ? <Card>{inputs}</Card> : null}
          <Card title={copy.contactHours}>
            <Chips
              role='radio'
              label={copy.contactHours}
              options={contactTimes}
              isOn={(v) => v === time}
              onPick={setTime}
            />
          </Card>
        </>
      ) : null}
      <ActionBar
        note={
          trouble && !busy ? (
            <Trouble text={trouble} />
          ) : step === 1 ? (
            <NextField {...{ config, mode, fill }} />
          ) : undefined
        }
        secondary={back}
        primary={
          step < LAST_STEP
            ? { text: copy.nextStep, onClick: () => void next() }
            : { text: busy ? copy.submitting : copy.toCheckout, loading: busy, onClick: onSubmit }
        }
      />
    </>
  )
}
