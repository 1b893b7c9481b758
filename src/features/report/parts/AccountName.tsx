import { useState } from 'react'
import { api } from '@/api'
import { useSave } from '@/api/useSave'
import { nameIssue } from '@/contract/rules'
import type { Report } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { Cell } from '@/ui/Cell/Cell'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'

interface Props {
  report: Pick<Report, 'orderId' | 'account'>
  /** called after the name was saved */
  onNamed: () => void
}

function NameSheet({ report: { orderId, account }, onNamed, onClose }: Props & { onClose: () => void }) {
  const [name, setName] = useState(account.name ?? '')
  const { error, busy, save } = useSave({
    issue: () => (name.trim() === '' ? undefined : nameIssue(name, copy.name)),
    send: () => api.user.updateSettings({ account: { orderId, name: name.trim() } }, { quiet: true }),
    saved() {
      dialog.toast(copy.nameSaved)
      onClose()
      onNamed()
    },
  })
  return (
    <Sheet
      open
      inset
      onClose={onClose}
      title={copy.nameTitle}
      action={{ text: copy.nameSave, loading: busy, onClick: save }}
    >
      <TextInput
        label={copy.name}
        value={name}
        onChange={setName}
        maxLength={16}
        placeholder={copy.nameHint}
        help={copy.nameHelp}
        error={error}
        onConfirm={save}
      />
    </Sheet>
  )
}

/** The owner's name for the account, editable: several accounts of one game look alike otherwise. */
export function AccountName(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Cell title={copy.name} value={props.report.account.name ?? copy.nameAdd} onClick={() => setOpen(true)} />
      {open ? <NameSheet {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
