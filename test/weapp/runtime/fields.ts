/** Built-in components the user acts on: input, textarea, button, form, label, switch. */
import type * as glassEasel from 'glass-easel'
import type { BuiltIn, Host } from './builtins'
import { problem } from './state'
import { phoneNumber } from './wx/account'
import { agreeTapped } from './wx/privacy'

type Field = HTMLInputElement | HTMLTextAreaElement
type OnPage = HTMLElement & { __wxElement?: glassEasel.GeneralComponent }

const DEFAULT_MAX = 140
const fieldOf = (host: Host) => host.dom.firstElementChild as Field

/** WeChat truncates at `maxlength`, 140 by default; -1 is unlimited. */
function cut(field: Field, maxlength: unknown) {
  const max = maxlength === undefined || maxlength === '' ? DEFAULT_MAX : Number(maxlength)
  if (max >= 0 && field.value.length > max) field.value = field.value.slice(0, max)
}

function textField(tag: 'input' | 'textarea'): BuiltIn {
  return {
    create(host) {
      const field = document.createElement(tag)
      const detail = () => ({ value: field.value, cursor: field.selectionStart ?? field.value.length })
      field.addEventListener('input', () => {
        cut(field, host.data.maxlength)
        host.emit('input', { ...detail(), keyCode: 0 })
      })
      field.addEventListener('focus', () => host.emit('focus', { value: field.value, height: 0 }))
      field.addEventListener('blur', () => host.emit('blur', detail()))
      field.addEventListener('keydown', (e) => {
        if ((e as KeyboardEvent).key === 'Enter' && tag === 'input') host.emit('confirm', { value: field.value })
      })
      host.dom.append(field)
    },
    update(host, changed) {
      const { data } = host
      const field = fieldOf(host)
      if (changed('cursorSpacing') && !(Number(data.cursorSpacing) > 0)) problem(`<${tag}> lies on the keyboard`)
      if (tag === 'textarea') host.dom.toggleAttribute('auto-height', Boolean(data.autoHeight))
      field.placeholder = String(data.placeholder ?? '')
      field.disabled = Boolean(data.disabled)
      if (field instanceof HTMLInputElement) field.type = data.password ? 'password' : 'text'
      // as on a device: setting the value it was last set to changes nothing
      if (changed('value') && data.value !== undefined) field.value = String(data.value)
      if (changed('focus') && data.focus) requestAnimationFrame(() => field.focus())
    },
  }
}

function openType(host: Host) {
  const kind = host.data.openType
  if (!kind) return
  const kinds = String(kind).split('|')
  // before the element it labels: one tap triggers both
  if (kinds.includes('agreePrivacyAuthorization'))
    agreeTapped(host.component.id, () => {
      if (host.dom.isConnected) host.emit('agreeprivacyauthorization', {})
    })
  if (kinds.includes('getPhoneNumber')) void phoneNumber().then((given) => host.emit('getphonenumber', given))
  else if (kinds.includes('agreePrivacyAuthorization')) return
  else if (kind === 'share') window.probe.share('button')
  else problem(`<button open-type="${String(kind)}"> is not imitated`)
}

/** The form around `dom`, and the values of its named fields. */
function formOf(dom: HTMLElement) {
  const form = dom.closest<OnPage>('wx-form')
  const value: Record<string, unknown> = {}
  for (const e of form?.querySelectorAll<OnPage>('wx-input, wx-textarea, wx-switch') ?? []) {
    const name = (e.__wxElement?.data as Record<string, unknown> | undefined)?.name
    if (name)
      value[String(name)] = e.tagName === 'WX-SWITCH' ? e.hasAttribute('checked') : (e.firstElementChild as Field).value
  }
  return { form: form?.__wxElement, value }
}

const button: BuiltIn = {
  create(host) {
    host.component.addListener('tap', () => {
      if (host.data.disabled) return
      openType(host)
      const { form, value } = formOf(host.dom)
      if (host.data.formType === 'submit') form?.triggerEvent('submit', { value })
      if (host.data.formType === 'reset') form?.triggerEvent('reset', {})
    })
  },
  update({ dom, data }) {
    dom.toggleAttribute('disabled', Boolean(data.disabled))
    dom.setAttribute('size', String(data.size ?? 'default'))
    dom.toggleAttribute('plain', Boolean(data.plain))
  },
}

const toggle: BuiltIn = {
  create(host) {
    host.component.addListener('tap', () => {
      if (host.data.disabled) return
      const value = host.dom.toggleAttribute('checked')
      host.emit('change', { value })
    })
  },
  update({ dom, data }, changed) {
    if (changed('checked')) dom.toggleAttribute('checked', Boolean(data.checked))
  },
}

const label: BuiltIn = {
  create(host) {
    host.component.addListener('tap', (event) => {
      const original = event.getOriginalEvent() as globalThis.Event | undefined
      const field = host.dom.querySelector<OnPage>('wx-input, wx-textarea, wx-switch')
      if (!field || field.contains(original?.target as Node | null)) return
      if (field.tagName === 'WX-SWITCH') field.__wxElement?.triggerEvent('tap', {})
      else (field.firstElementChild as Field).focus()
    })
  },
}

export const fields: Record<string, BuiltIn> = {
  'wx-input': textField('input'),
  'wx-textarea': textField('textarea'),
  'wx-button': button,
  'wx-switch': toggle,
  'wx-label': label,
  'wx-form': {},
}
