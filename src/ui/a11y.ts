interface State {
  label?: string | undefined
  checked?: boolean | undefined
  selected?: boolean | undefined
  expanded?: boolean | undefined
  disabled?: boolean | undefined
  current?: boolean | undefined
  invalid?: boolean | undefined
  hidden?: boolean | undefined
  modal?: boolean | undefined
  /** heading level: 1 for the page title, 2 (default) below it */
  level?: 1 | 2 | undefined
}

const flag = (v: boolean | undefined) => (v === undefined ? undefined : v ? 'true' : 'false')

/**
 * Accessibility attributes as props for Taro's components. On h5 they become attributes of the element; in the
 * mini-program only views get role, label, checked, selected and disabled (config/aria.ts), the rest is dropped. Taro's
 * own `ariaRole` is unusable: on h5 it becomes `aria-role`, which has no meaning.
 */
export function a11y(role: string | undefined, s: State = {}): Record<string, string> {
  const all: Record<string, string | undefined> = {
    role,
    'aria-label': s.label,
    'aria-checked': flag(s.checked),
    'aria-selected': flag(s.selected),
    'aria-expanded': flag(s.expanded),
    'aria-disabled': s.disabled ? 'true' : undefined,
    'aria-current': s.current ? 'page' : undefined,
    'aria-invalid': s.invalid ? 'true' : undefined,
    'aria-hidden': s.hidden ? 'true' : undefined,
    'aria-modal': s.modal ? 'true' : undefined,
    'aria-level': role === 'heading' ? String(s.level ?? 2) : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter((e): e is [string, string] => e[1] !== undefined))
}

interface Key {
  key?: string
  preventDefault(): void
}

/** Enter and space act like a tap, as on native buttons. */
export const onKeys = (act: (() => void) | undefined) => ({
  onKeyDown: (e: Key) => {
    if (e.key !== 'Enter' && e.key !== ' ') return
    e.preventDefault()
    act?.()
  },
})
