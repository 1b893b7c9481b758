import { Popup } from '@nutui/nutui-react-taro'
import { ScrollView, View } from '@tarojs/components'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import { Tap } from '../Tap/Tap'
import './Sheet.scss'

interface Props {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** stays in place above the scrolling part: a search box */
  head?: ReactNode
  /** stays in place below: the button that ends it */
  foot?: ReactNode
  /** takes nearly the whole screen */
  full?: boolean
}

interface Focusable {
  focus?: (o: { preventScroll: boolean }) => void
  ownerDocument?: { activeElement?: Focusable | null }
}

/** Moves the keyboard's place into the sheet and, when it goes, back to what opened it. A no-op in the mini-program. */
function useFocus(open: boolean) {
  const ref = useRef<Focusable>(null)
  useEffect(() => {
    if (!open) return
    const before = ref.current?.ownerDocument?.activeElement
    ref.current?.focus?.({ preventScroll: true })
    return () => before?.focus?.({ preventScroll: true })
  }, [open])
  return ref
}

/** A panel from the bottom edge for one choice. Costs nothing until it is first opened. */
export function Sheet({ open, ...rest }: Props) {
  const [used, setUsed] = useState(open)
  useEffect(() => {
    if (open) setUsed(true)
  }, [open])
  return used || open ? <Panel open={open && used} {...rest} /> : null
}

function Panel({ open, onClose, title, children, head, foot, full }: Props) {
  const ref = useFocus(open)
  const close = () => {
    // NutUI also reports the closing we asked for
    if (open) onClose()
  }
  return (
    <Popup
      visible={open}
      position='bottom'
      round
      lockScroll
      destroyOnClose
      duration={200}
      className={cx('ui-sheet', full && 'ui-sheet--full')}
      onClose={close}
    >
      <View
        ref={ref}
        className='ui-sheet__panel'
        {...a11y('dialog', { label: title, modal: true })}
        {...{ tabindex: '-1', onKeyDown: (e: { key?: string }) => e.key === 'Escape' && close() }}
      >
        <View className='ui-sheet__head'>
          <View className='ui-sheet__title'>{title}</View>
          <Tap className='ui-sheet__close' label='关闭' onClick={close}>
            <Icon name='close' />
          </Tap>
        </View>
        {head ? <View className='ui-sheet__top'>{head}</View> : null}
        <ScrollView scrollY className='ui-sheet__body'>
          {children}
        </ScrollView>
        {foot ? <View className='ui-sheet__foot'>{foot}</View> : null}
        <View className='ui-sheet__safe' />
      </View>
    </Popup>
  )
}
