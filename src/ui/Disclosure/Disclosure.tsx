import type { ReactNode } from 'react'
import { Icon } from '../Icon/Icon'
import { Pressable } from '../Pressable/Pressable'
import './Disclosure.scss'

interface Props {
  open: boolean
  onToggle: (open: boolean) => void
  text: ReactNode
}

/** The last row of a collapsed section: names the hidden part, expands it and collapses it again. */
export function Disclosure({ open, onToggle, text }: Props) {
  return (
    <Pressable className='ui-disclosure' expanded={open} onClick={() => onToggle(!open)}>
      {text}
      <Icon name={open ? 'chevron-up' : 'chevron-down'} size='s' />
    </Pressable>
  )
}
