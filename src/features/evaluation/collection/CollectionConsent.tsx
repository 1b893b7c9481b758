import { View } from '@tarojs/components'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { PrefilledForm } from '@/contract/types'
import { nav } from '@/router/nav'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Chip } from '@/ui/Chip/Chip'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Notice } from '@/ui/Notice/Notice'
import { Steps } from '@/ui/Steps/Steps'
import { copy as words } from '../copy'
import { FieldInput, scrollToField } from '../fill/FieldInput'
import { ListingConsent } from '../fill/ListingConsent'
import { fieldKeyOf } from '../fill/model'
import { type FillFormState, useFillForm } from '../fill/useFillForm'
import { WaysIn } from '../parts/WaysIn'
import { copy } from './copy'
import { inputAnswers, inputIssues, lookupAnswers, requiredInputFields } from './model'
import './collection.scss'

const nothing = () => undefined

interface Props {
  config: PrefilledForm
  /** an existing order that waits for a new collection */
  orderId: string | undefined
}

/** Starts the collection and its order, which is valued automatically afterwards. @returns the task's id */
async function startRead(config: PrefilledForm, fill: FillFormState, orderId: string | undefined): Promise<string> {
  const { gameId, schemaVersion, aiMode } = config
  const { answers } = fill.state
  const byId = aiMode === 'PUBLIC_ID'
  const request = { gameId, loginType: byId ? 'PUBLIC_ID' : 'QR', answers: lookupAnswers(config, answers) }
  const { taskId } = await api.evaluation.taskCreate({ ...request, ...(orderId && { orderId }) }, { quiet: true })
  const source = byId ? 'PUBLIC_ID' : 'AUTH'
  await api.evaluation.submitAi(
    { gameId, schemaVersion, answers: inputAnswers(config, answers), taskId, source, ...fill.ownPrice },
    { quiet: true },
  )
  return taskId
}

function useAgree({ config, orderId }: Props, fill: FillFormState) {
  const { busy, failure, run } = useAction()
  function agree() {
    const issues = inputIssues(config, fill.state.answers)
    const [first] = issues
    if (first) {
      fill.send({ type: 'refused', fields: issues })
      return scrollToField(config, fieldKeyOf(first.path))
    }
    void run(
      async () => {
        fill.draft.flush()
        const taskId = await startRead(config, fill, orderId)
        await nav.redirect('evaluationFillInInfoRpaWebview', { gameId: config.gameId, taskId })
      },
      (e) => e.detail || copy.failed,
    )
  }
  return { agree, busy, failure }
}

function ReadScope({ config, fill }: { config: PrefilledForm; fill: FillFormState }) {
  const { answers, errors, warnings } = fill.state
  const fields = requiredInputFields(config, answers)
  if (fields.length === 0) return null
  return (
    <Card title={copy.fields}>
      {fields.map((field) => (
        <FieldInput
          key={field.key}
          {...{ config, field, mode: 'AI', send: fill.send, onPending: nothing, mark: undefined }}
          answer={answers[field.key]}
          error={errors[field.key]}
          warning={warnings[field.key]}
        />
      ))}
    </Card>
  )
}

/** Consent before a collection: required input, scope, purpose and retention. */
export function CollectionConsent(props: Props) {
  const { config } = props
  const fill = useFillForm(config, 'AI')
  const { agree, busy, failure } = useAgree(props, fill)
  const none = config.freeLeft === 0
  const trouble = none ? copy.noLeft : failure
  return (
    <>
      <View className='collection-head'>
        <GameTile gameId={config.gameId} size='s' />
        <View className='collection-head__title'>{config.name}</View>
      </View>
      <WaysIn>
        <Chip onClick={() => void nav.redirect('evaluationFillInInfo', { gameId: config.gameId, mode: 'AI' })}>
          {words.ways.FILL}
        </Chip>
      </WaysIn>
      <Card title={copy.reads}>
        <View className='collection-list'>{config.readList.join('、')}</View>
        <Steps items={copy.consent(fill.listing?.agreed === true)} />
      </Card>
      <ListingConsent fill={fill} />
      <ReadScope config={config} fill={fill} />
      <Notice tone='warn' icon='shield' text={copy.terms} />
      <Notice tone='info' icon='shield' text={words.scam} />
      <ActionBar
        note={trouble ? <View {...a11y('alert')}>{trouble}</View> : undefined}
        primary={{
          text: busy ? copy.agreeing : copy.agree,
          loading: busy,
          disabled: none,
          onClick: agree,
        }}
      />
    </>
  )
}
