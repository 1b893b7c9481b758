import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { useCall } from '@/api/useCall'
import { smsCodeIssue } from '@/contract/rules'
import { dayText } from '@/contract/timeText'
import type { Res } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { clearCache } from '@/session/clearCache'
import { dispatch } from '@/session/store'
import { Button } from '@/ui/Button/Button'
import { Cell } from '@/ui/Cell/Cell'
import { Checkbox } from '@/ui/Checkbox/Checkbox'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { SmsCodeField } from './parts/SmsCodeField'
import { useSmsCode } from './useSmsCode'
import './DeleteAccountCell.scss'

const SCENE_DELETE_ACCOUNT = 5
const words = copy.off
type State = Res<'user', 'checkLoginOff'>

/** Obstacles to the deletion, each with a link to where it can be resolved. */
function DeletionBlockers({ blockers }: { blockers: State['blockers'] }) {
  return (
    <View>
      <Notice tone='warn' text={words.blocked} />
      {blockers.map(({ type, text, link }) => (
        <Cell key={type} title={text} onClick={() => void nav.url(link)} />
      ))}
    </View>
  )
}

function useAccountDeletion() {
  const form = useSmsCode(SCENE_DELETE_ACCOUNT, true)
  const [sure, setSure] = useState(false)
  const [shakes, setShakes] = useState(0)
  const [blocked, setBlocked] = useState<State['blockers']>()
  const { busy, run } = useAction()

  async function requestDeletion() {
    const { canOff, blockers, effectiveAt } = await api.user.loginOff(
      { code: form.code },
      { quiet: ['SMS_CODE_WRONG', 'SMS_CODE_EXPIRED', 'VALIDATION_FAILED'] },
    )
    if (canOff && effectiveAt !== undefined) void leave(effectiveAt)
    else setBlocked(blockers)
  }

  /** The request does not wait for it, or its button would spin behind the dialog. */
  async function leave(effectiveAt: number) {
    // what was typed and not sent is personal data too
    clearCache()
    dispatch({ type: 'loggedOut' })
    const content = words.doneNote(dayText(effectiveAt, serverTime()))
    await dialog.confirm({ title: words.done, content, cancelText: null })
    await nav.tab('home')
  }

  function submit() {
    const issue = smsCodeIssue(form.code)
    form.setErrors({ code: issue })
    if (!sure) setShakes((n) => n + 1)
    if (!issue && sure) void run(requestDeletion, form.failed('code', words.failed))
  }
  return { ...form, sure, setSure, shakes, blocked, busy, submit }
}

function DeletionForm() {
  const form = useAccountDeletion()
  if (form.blocked) return <DeletionBlockers blockers={form.blocked} />
  return (
    <View>
      <View className='off__facts'>
        {words.facts.map((fact) => (
          <View key={fact} className='off__fact'>
            {fact}
          </View>
        ))}
      </View>
      <SmsCodeField form={form} onConfirm={form.submit} />
      <View className='off__sure'>
        <Checkbox value={form.sure} onChange={form.setSure} name={words.sure} shakes={form.shakes}>
          {words.sure}
        </Checkbox>
      </View>
      <Button kind='danger' block loading={form.busy} onClick={form.submit}>
        {words.submit}
      </Button>
    </View>
  )
}

function Body() {
  const load = useCall('user', 'checkLoginOff', {})
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows rows={3} />}>
      {({ canOff, blockers }) => (canOff ? <DeletionForm /> : <DeletionBlockers blockers={blockers} />)}
    </LoadBoundary>
  )
}

/** The row 注销账号: consequences, blockers, and confirmation by SMS code. */
export function DeleteAccountCell() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Cell title={words.title} onClick={() => setOpen(true)} />
      <Sheet open={open} onClose={() => setOpen(false)} title={words.title} inset>
        {open ? <Body /> : null}
      </Sheet>
    </>
  )
}
