import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '../Button/Button'
import './ActionBar.scss'

/** A button by its text. */
export type Action = Omit<ButtonProps, 'children' | 'kind' | 'size' | 'block' | 'className'> & { text: ReactNode }

interface Props {
  /** exactly one */
  primary: Action & { kind?: 'primary' | 'celebrate' }
  secondary?: Action | undefined
  /** on the left: a price or a hint */
  lead?: ReactNode
  /** a line above the buttons: why the button is disabled, or what it costs */
  note?: ReactNode
}

/**
 * Bar at the bottom edge with the primary action of the page. Sticky, not fixed, so that it moves with page
 * transitions: put it last in the fragment a screen returns.
 */
export function ActionBar({ primary, secondary, lead, note }: Props) {
  const { text, kind = 'primary', ...rest } = primary
  return (
    <View className='ui-action'>
      {note ? <View className='ui-action__note'>{note}</View> : null}
      <View className='ui-action__row'>
        {lead ? <View className='ui-action__lead'>{lead}</View> : null}
        {secondary ? (
          <Button {...secondary} kind='secondary'>
            {secondary.text}
          </Button>
        ) : null}
        <Button {...rest} kind={kind} className='ui-action__main'>
          {text}
        </Button>
      </View>
    </View>
  )
}
