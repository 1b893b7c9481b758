import { useEffect, useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { usePictures } from '@/api/usePictures'
import { saleOutcomeText } from '@/contract/labels'
import type { SaleFollowUp } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { dialog } from '@/platform/dialog'
import { usePersistedInput } from '@/session/usePersistedInput'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Checkbox } from '@/ui/Checkbox/Checkbox'
import { Chips, optionsOf } from '@/ui/Chip/Chips'
import { Field } from '@/ui/Field/Field'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { Notice } from '@/ui/Notice/Notice'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { cleanYuan } from '../model'
import { draftOf, type SaleDraft, type SaleIssues, saleIssues, toSale } from '../saleModel'

const words = copy.sale
const digits = (raw: string) => raw.normalize('NFKC').replace(/\D/g, '').slice(0, 3)

interface PartProps {
  draft: SaleDraft
  issues: SaleIssues
  set: (part: Partial<SaleDraft>) => void
}

function Outcome({ draft, issues, set }: PartProps) {
  return (
    <Field label={words.outcome} required error={issues.outcome}>
      <Chips
        role='radio'
        label={words.outcome}
        options={optionsOf(saleOutcomeText)}
        isOn={(one) => draft.outcome === one}
        onPick={(outcome) => set({ outcome })}
      />
    </Field>
  )
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

const ListingFields = (p: PartProps) => (
  <>
    <TextInput
      label={words.platform}
      value={p.draft.platform}
      onChange={(platform) => p.set({ platform })}
      maxLength={30}
      placeholder={copy.platformHint}
    />
    <PriceAndDays {...p} price='list' days='listedDays' required={p.draft.outcome === 'LISTED'} />
  </>
)

interface PictureProps extends Pick<PartProps, 'draft' | 'set'> {
  onPending: (pending: string | undefined) => void
}

function SaleScreenshot({ draft, set, onPending }: PictureProps) {
  const { picker, pending } = usePictures({
    ...{ scene: 'EVALUATION', keys: draft.images, max: 1 },
    onKeys: (images) => set({ images }),
  })
  useEffect(() => {
    onPending(pending)
    return () => onPending(undefined)
  }, [pending, onPending])
  return <ImagePicker label={words.picture} {...picker} />
}

interface Props {
  followUp: SaleFollowUp
  onReported: (followUp: SaleFollowUp) => void
}

/** Form for the outcome of the account. Input is kept until it has been sent; nothing is agreed to in advance. */
export function SaleForm({ followUp, onReported }: Props) {
  const { orderId, answer } = followUp
  const [{ consent: _, listedDays, soldDays, ...initial }] = useState(() => draftOf(answer, serverTime()))
  // input for an earlier answer is not restored for a later one
  const [kept, keep, forget] = usePersistedInput(`sale:${orderId}:${answer?.toldAt ?? ''}`, () => initial)
  // "days ago" would name another day when they are sent later
  const [days, setDays] = useState({ listedDays, soldDays })
  // consent is given anew
  const [consent, setConsent] = useState(false)
  const draft = { ...kept, ...days, consent }
  const set = ({ listedDays, soldDays, ...rest }: Partial<SaleDraft>) => {
    setDays((old) => ({ listedDays: listedDays ?? old.listedDays, soldDays: soldDays ?? old.soldDays }))
    keep(rest)
  }
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
      forget()
      dialog.toast(reported.thanked && !followUp.thanked ? words.thanked : words.sent)
      onReported(reported)
    })
  }

  const part = { draft, set, issues: tried > 0 ? issues : {} }
  const wasListed = draft.outcome === 'SOLD' || draft.outcome === 'LISTED'
  return (
    <>
      <Card className='ev-card'>
        <Outcome {...part} />
        {draft.outcome === 'SOLD' ? <PriceAndDays {...part} price='sold' days='soldDays' required /> : null}
        {wasListed ? <ListingFields {...part} /> : null}
        {wasListed ? <SaleScreenshot draft={draft} set={set} onPending={setPending} /> : null}
      </Card>
      <Card className='ev-card'>
        <Checkbox
          value={draft.consent}
          onChange={setConsent}
          name={words.consent}
          shakes={issues.consent && tried > 0 ? tried : 0}
        >
          {words.consent}
        </Checkbox>
      </Card>
      <ActionBar
        primary={{ text: words.send, loading: busy, disabled: pending !== undefined, onClick: send }}
        note={
          failure ? <Notice tone='bad' text={failure} /> : (pending ?? (tried > 0 ? first : undefined) ?? words.gift)
        }
      />
    </>
  )
}
