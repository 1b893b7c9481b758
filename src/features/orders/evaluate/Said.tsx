import { View } from '@tarojs/components'
import { useState } from 'react'
import { AppError, api } from '@/api'
import { dateTimeText, yuan } from '@/contract/format'
import { accuracyText } from '@/contract/labels'
import type { ValuationEvaluation } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Notice } from '@/ui/Notice/Notice'
import { Stars } from '@/ui/Stars/Stars'
import { Tag } from '@/ui/Tag/Tag'
import { TextArea } from '@/ui/TextArea/TextArea'
import { copy } from './copy'

/** What was said, to read. */
function Facts({ said }: { said: ValuationEvaluation }) {
  const { score, accuracy, tags = [], content, anonymous, soldFen, soldPlatform, createdAt } = said
  return (
    <>
      <Card className='ev-card'>
        <Stars label={copy.score} value={score} words={copy.scoreWords} />
        <View className='ev-chips'>
          <Tag tone='blue'>{accuracyText[accuracy]}</Tag>
          {tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
          {anonymous ? <Tag>{copy.anonymousTag}</Tag> : null}
        </View>
        {content ? <View className='ev-text'>{content}</View> : null}
      </Card>
      <Card flush>
        {soldFen === undefined ? null : <Cell title={copy.sold} value={yuan(soldFen)} note={soldPlatform} />}
        <Cell title={copy.sentAt} value={dateTimeText(createdAt)} />
      </Card>
    </>
  )
}

interface Props {
  said: ValuationEvaluation
  onChange: (said: ValuationEvaluation) => void
}

function Adding({ said, onChange }: Props) {
  const { orderId, score, accuracy } = said
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  async function send() {
    if (busy) return
    if (text.trim() === '') return setFailure(copy.addNeed)
    setBusy(true)
    setFailure(undefined)
    try {
      // the stars travel along because the call wants them; the server keeps the first ones
      onChange(await api.evaluation.saveEvaluation({ orderId, score, accuracy, content: text.trim() }, { quiet: true }))
      dialog.toast(copy.addSent)
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      setFailure(e.serverMsg ?? e.msg)
      setBusy(false)
    }
  }
  return (
    <>
      <Card className='ev-card'>
        <TextArea
          label={copy.addTitle}
          value={text}
          onChange={setText}
          maxLength={200}
          placeholder={copy.addHint}
          error={failure}
        />
      </Card>
      <ActionBar primary={{ text: copy.addYes, loading: busy, onClick: () => void send() }} note={copy.readOnly} />
    </>
  )
}

/** Read-only after sending; one addition. */
export function Said({ said, onChange }: Props) {
  const { addedAt, addition, score } = said
  return (
    <>
      {score <= 2 ? <Notice tone='info' text={copy.low} /> : null}
      <Facts said={said} />
      {addedAt === undefined ? (
        <Adding said={said} onChange={onChange} />
      ) : (
        <Card title={copy.added} extra={dateTimeText(addedAt)}>
          <View className='ev-text'>{addition}</View>
        </Card>
      )}
    </>
  )
}
