import { useState } from 'react'
import { type ApiError, api, isShown } from '@/api'
import { useAction } from '@/api/useAction'
import type { ErrorCode } from '@/contract/errors'
import { idNoIssue, normaliseIdNo, normaliseName, realNameIssue } from '@/contract/rules'
import { nav } from '@/router/nav'
import { copy } from './copy'

interface Errors {
  name?: string | undefined
  idNo?: string | undefined
  /** error that belongs to no single field */
  form?: string | undefined
}

const quiet = ['VALIDATION_FAILED', 'REALNAME_MISMATCH', 'REALNAME_LIMIT'] as const satisfies readonly ErrorCode[]
/** These codes are results: the result page shows them with the attempts left. */
const results: readonly (string | number)[] = ['REALNAME_MISMATCH', 'REALNAME_LIMIT']

const issueOf = {
  name: (text: string) => realNameIssue(text),
  idNo: (text: string) => idNoIssue(text, Date.now()),
}

/** Name, ID number and the separate consent; none of it is stored on the device. */
export function useRealName(redirect: string | undefined) {
  const [person, setPerson] = useState({ name: '', idNo: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [agreed, setAgreed] = useState(false)
  const [shakes, setShakes] = useState(0)
  const { busy, run } = useAction()

  const change = (key: 'name' | 'idNo') => (text: string) => {
    setPerson((old) => ({ ...old, [key]: text }))
    setErrors((old) => ({ ...old, [key]: undefined }))
  }
  const leave = (key: 'name' | 'idNo') => () => {
    if (person[key] !== '') setErrors((old) => ({ ...old, [key]: issueOf[key](person[key]) }))
  }

  async function send() {
    const request = { name: normaliseName(person.name), idNo: normaliseIdNo(person.idNo), consent: true as const }
    await api.user.realNameAuth(request, { quiet })
    await nav.redirect('mineRealNameResult', { redirect })
  }
  async function failed(e: ApiError) {
    if (results.includes(e.code)) await nav.redirect('mineRealNameResult', { redirect })
    else setErrors(errorText(e))
    return undefined
  }

  function submit() {
    const found = { name: issueOf.name(person.name), idNo: issueOf.idNo(person.idNo) }
    const missing = !found.name && !found.idNo && !agreed
    setErrors({ ...found, ...(missing && { form: copy.realName.mustAgree }) })
    if (missing) setShakes((n) => n + 1)
    else if (!found.name && !found.idNo) void run(send, failed)
  }

  function agree(yes: boolean) {
    setAgreed(yes)
    setErrors((old) => ({ ...old, form: undefined }))
  }
  return { ...person, errors, agreed, agree, shakes, busy, change, leave, submit }
}

function errorText(e: ApiError): Errors {
  const messageOf = (path: string) => e.fields?.find((f) => f.path === path)?.msg
  if (e.fields?.length) return { name: messageOf('name'), idNo: messageOf('idNo') }
  return isShown(e) || e.kind === 'abort' ? {} : { form: e.kind === 'business' ? e.msg : copy.realName.failed }
}
