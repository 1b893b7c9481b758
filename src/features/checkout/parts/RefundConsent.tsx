import { Text, View } from '@tarojs/components'
import { pageScrollTo } from '@tarojs/taro'
import { useEffect, useRef, useState } from 'react'
import type { Order, PreOrder } from '@/contract/types'
import { nav } from '@/router/nav'
import { Checkbox, TextLink } from '@/ui/Checkbox/Checkbox'
import { cx } from '@/ui/cx'
import { copy } from '../copy'
import './RefundConsent.scss'

/** The buyer's consent to one text: a coupon that covers the full price changes it, and a new consent is required. */
export function useConsent({ payFen }: PreOrder, { mode }: Order) {
  const [given, setGiven] = useState('')
  const [shakes, setShakes] = useState(0)
  const tick = (payFen === 0 ? copy.tickFree : copy.tick)[mode]
  return {
    tick,
    agreed: given === tick,
    setAgreed: (value: boolean) => {
      setGiven(value ? tick : '')
      // for a new text, the error is shown only after another attempt without consent
      setShakes(0)
    },
    shakes,
    isMissed: shakes > 0 && given !== tick,
    remind: () => setShakes(shakes + 1),
  }
}

interface Props {
  consent: ReturnType<typeof useConsent>
  quote: PreOrder
}

const ANCHOR = 'consent'
/** design pixels; scrolls it to the middle of the screen, clear of the bars */
const SCROLL_OFFSET = -240

/** Nodes of a mini-program have none of these methods. */
interface Box {
  querySelector?: (selector: string) => { focus?: (o: { preventScroll: boolean }) => void } | null
}

/** Explicit consent, checked only where the buyer has checked it. */
export function RefundConsent({ consent, quote: { payFen, agreeUrl } }: Props) {
  const { tick, agreed, setAgreed, shakes, isMissed } = consent
  const box = useRef<Box>(null)
  useEffect(() => {
    if (shakes === 0) return
    void pageScrollTo({ selector: `#${ANCHOR}`, offsetTop: SCROLL_OFFSET, duration: 250 })
    box.current?.querySelector?.('[role=checkbox]')?.focus?.({ preventScroll: true })
  }, [shakes])
  return (
    <View ref={box} className={cx('consent', isMissed && 'consent--need')} id={ANCHOR}>
      <Checkbox value={agreed} onChange={setAgreed} shakes={shakes} name={tick}>
        <Text className='consent__tick'>{tick}</Text>
        <Text>{copy.and}</Text>
        <TextLink onClick={() => void nav.url(agreeUrl)}>{copy.notice}</TextLink>
        {payFen === 0 ? null : (
          <TextLink onClick={() => void nav.to('article', { key: 'REFUND' })}>{copy.refundRule}</TextLink>
        )}
      </Checkbox>
    </View>
  )
}
