import { Popup, SafeArea } from '@nutui/nutui-react-taro'
import { ScrollView, View } from '@tarojs/components'
import { type MutableRefObject, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { BackHandler } from '@/platform/backHandler'
import type { Action } from '../ActionBar/ActionBar'
import { a11y } from '../a11y'
import { Button } from '../Button/Button'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import { Notice } from '../Notice/Notice'
import { Pressable } from '../Pressable/Pressable'
import { useFocusTrap } from './focus'
import { SheetParent } from './SheetParent'
import './Sheet.scss'

interface Props {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** fixed below the scrolling part: the action, why it failed, and what else stands there */
  action?: Action
  failure?: string | undefined
  foot?: ReactNode
  /** adds padding, for content that has none */
  inset?: boolean
  /** nearly full-screen */
  full?: boolean
  /** id within `children` to scroll into view */
  showing?: string | undefined
}

interface Pressed {
  key?: string
  shiftKey?: boolean
  detail?: { keyCode?: number }
  preventDefault(): void
}

/** Taro's input reports keys to the page by its own event. */
const isEscape = ({ key, detail }: Pressed) => key === 'Escape' || detail?.keyCode === 27

/**
 * A panel from the bottom edge for one choice. Not rendered before it is first opened, and rendered closed first: NutUI
 * does not call `afterShow` of a popup that is open from the start, so the sheet would not take the focus.
 */
export function Sheet({ open, ...rest }: Props) {
  const parent = useContext(SheetParent)
  /** where the panel has been rendered; undefined before the sheet is first opened */
  const [usedIn, setUsedIn] = useState<typeof parent>()
  useEffect(() => {
    if (open) setUsedIn(parent)
  }, [open, parent])
  if (!open && usedIn === undefined) return null
  const panel = <Panel open={open && usedIn === parent} {...rest} />
  return parent ? createPortal(panel, parent) : panel
}

function Panel({ open, onClose, full, ...rest }: Props) {
  const enter = useRef<() => void>()
  const close = () => {
    // NutUI also calls this when we close it ourselves
    if (open) onClose()
  }
  return (
    <>
      <BackHandler open={open} onBack={close} />
      <Popup
        visible={open}
        position='bottom'
        round
        lockScroll
        destroyOnClose
        duration={200}
        className={cx('ui-sheet', full && 'ui-sheet--full')}
        onClose={close}
        afterShow={() => enter.current?.()}
      >
        <SheetContent {...rest} close={close} onEnter={enter} />
      </Popup>
    </>
  )
}

interface SheetContentProps extends Omit<Props, 'open' | 'onClose' | 'full'> {
  close: () => void
  /** receives the callback for when the sheet has opened */
  onEnter: MutableRefObject<(() => void) | undefined>
}

/** Mounted only while the sheet is shown. */
function SheetContent({ close, onEnter, title, children, inset, showing, ...end }: SheetContentProps) {
  const { ref, enter, onTab } = useFocusTrap()
  onEnter.current = enter
  return (
    <View
      ref={ref}
      className='ui-sheet__panel'
      {...a11y('dialog', { label: title, modal: true })}
      {...{ tabindex: '-1', onKeyDown: (e: Pressed) => (isEscape(e) ? close() : onTab(e)) }}
    >
      <View className='ui-sheet__head'>
        <View className='ui-sheet__title'>{title}</View>
        <Pressable className='ui-sheet__close' label='关闭' onClick={close}>
          <Icon name='close' />
        </Pressable>
      </View>
      <ScrollView scrollY className='ui-sheet__body' {...(showing ? { scrollIntoView: showing } : {})}>
        {inset ? <View className='ui-sheet__inset'>{children}</View> : children}
      </ScrollView>
      <SheetEnd {...end} />
      <SafeArea position='bottom' className='ui-sheet__safe' />
    </View>
  )
}

function SheetEnd({ action, failure, foot }: Pick<Props, 'action' | 'failure' | 'foot'>) {
  if (!action && !foot) return null
  return (
    <View className='ui-sheet__foot'>
      {failure ? <Notice tone='bad' text={failure} /> : null}
      {action ? (
        <Button block {...action}>
          {action.text}
        </Button>
      ) : null}
      {foot}
    </View>
  )
}
