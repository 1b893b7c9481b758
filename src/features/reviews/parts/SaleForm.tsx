import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { saleOutcomeText } from '@/contract/labels'
import type { SaleFollowUp } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { dialog } from '@/platform/dialog'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Checkbox } from '@/ui/Checkbox/Checkbox'
import { Chips, optionsOf } from '@/ui/Chip/Chips'
import { Field } from '@/ui/Field/Field'
import { Notice } from '@/ui/Notice/Notice'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { cleanYuan } from '../model'
import { draftOf, type SaleDraft, type SaleIssues, saleIssues, toSale } from '../saleModel'
import { ReviewPicturePicker } from './ReviewPicturePicker'

const words = copy.sale
const digits = (raw: string) => raw.normalize('NFKC').replace(/\D/g, '').slice(0, 3)

interface PartProps {
  draft: SaleDraft
  issues: SaleIssues
  set: (part: Partial<SaleDraft>) => void
}

interface PriceAndDaysProps extends PartProps {
  price: 'sold' | 'list'
  days: 'soldDays' | 'listedDays'
  required: boolean
}

/** A price, and how many days ago it was that of the account. */
const PriceAndDays = ({ draft, issues, set, price, days, required }: PriceAndDaysProps) => (
  <>
    <TextInput
      label={words[price]}
      required={required}
      value={draft[price]}
      onChange={(text) => set({ [price]: text })}
      clean={cleanYuan}
      keyboard='decimal'
      suffix={copy.soldUnit}
      error={issues[price]}
    />
    <TextInput
      label={words[days]}
      required={required}
      value={draft[days]}
      onChange={(text) => set({ [days]: text })}
      clean={digits}
      keyboard='int'
      placeholder={words.daysHint}
      suffix={words.daysUnit}
      error={issues[days]}
    />
  </>
)

interface Props {
  followUp: SaleFollowUp
  onReported: (followUp: SaleFollowUp) => void
}

/** Form for the outcome of the account; nothing is agreed to in advance. */
export function SaleForm({ followUp, onReported }: Props) {
  const { orderId, answer } = followUp
  const [draft, setDraft] = useState(() => draftOf(answer, serverTime()))
  const set = (part: Partial<SaleDraft>) => setDraft((old) => ({ ...old, ...part }))
  const [tried, setTried] = useState(0)
  const [pending, setPending] = useState<string>()
  const { busy, failure, run } = useAction()
  const issues = saleIssues(draft)
  const first = Object.values(issues)[0]

  function send() {
    setTried(tried + 1)
    if (first !== undefined) return
    void run(async () => {
      const reported = await api.sale.report(toSale(orderId, draft, serverTime()), { quiet: true })
      dialog.toast(reported.thanked && !followUp.thanked ? words.thanked : words.sent)
      onReported(reported)
    })
  }

  const part = { draft, set, issues: tried > 0 ? issues : {} }
  const wasListed = draft.outcome === 'SOLD' || draft.outcome === 'LISTED'
  return (
    <>
      <Card className='ev-card'>
        <Field label={words.outcome} required error={part.issues.outcome}>
          <Chips
            role='radio'
            label={words.outcome}
            options={optionsOf(saleOutcomeText)}
            isOn={(outcome) => draft.outcome === outcome}
            onPick={(outcome) => set({ outcome })}
          />
        </Field>
        {draft.outcome === 'SOLD' ? <PriceAndDays {...part} price='sold' days='soldDays' required /> : null}
        {wasListed ? (
          <>
            <TextInput
              label={words.platform}
              value={draft.platform}
              onChange={(platform) => set({ platform })}
              maxLength={30}
              placeholder={copy.platformHint}
            />
            <PriceAndDays {...part} price='list' days='listedDays' required={draft.outcome === 'LISTED'} />
            <ReviewPicturePicker
              label={words.picture}
              max={1}
              keys={draft.images}
              onKeys={(images) => set({ images })}
              onPending={setPending}
            />
          </>
        ) : null}
      </Card>
      <Card>
        <Checkbox
          value={draft.consent}
          onChange={(consent) => set({ consent })}
          name={words.consent}
          shakes={issues.consent && tried > 0 ? tried : 0}
        >
          {words.consent}
        </Checkbox>
      </Card>
      <ActionBar
        primary={{
          text: answer ? words.update : words.send,
          loading: busy,
          disabled: pending !== undefined,
          onClick: send,
        }}
        note={
          failure ? <Notice tone='bad' text={failure} /> : (pending ?? (tried > 0 ? first : undefined) ?? words.gift)
        }
      />
    </>
  )
}
