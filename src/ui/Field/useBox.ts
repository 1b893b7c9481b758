import { useState } from 'react'
import { cx } from '../cx'
import './Field.scss'

interface Box {
  error?: string | undefined
  disabled?: boolean | undefined
  onBlur?: (() => void) | undefined
}

/** Classes and focus handlers of the box around an input. */
export function useBox({ error, disabled, onBlur }: Box) {
  const [on, setOn] = useState(false)
  return {
    className: cx('ui-box', on && 'ui-box--on', error && 'ui-box--bad', disabled && 'ui-box--off'),
    onFocus: () => setOn(true),
    onBlur() {
      setOn(false)
      onBlur?.()
    },
  }
}
