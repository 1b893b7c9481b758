import { Text, View } from '@tarojs/components'
import { pageScrollTo } from '@tarojs/taro'
import { useEffect, useState } from 'react'
import type { Order, PreOrder } from '@/contract/types'
import { nav } from '@/router/nav'
import { Checkbox, TextLink } from '@/ui/Checkbox/Checkbox'
import { cx } from '@/ui/cx'
import { copy } from '../copy'
import './RefundConsent.scss'

/**
 * The buyer's consent, given to one text: another coupon can turn an order that is paid for into one that costs nothing,
 * which has no refund to speak of.
 */
export function useConsent({ payFen }: PreOrder, mode: Order['mode']) {
  const [given, setGiven] = useState<string>()
  const [nudge, setNudge] = useState(0)
  const tick = payFen === 0 ? copy.tickFree[mode] : copy.tick
  return {
    tick,
    agreed: given === tick,
    setAgreed: (value: boolean) => {
      setGiven(value ? tick : undefined)
      // the next text is asked for only when it is missed again
      setNudge(0)
    },
    nudge,
    remind: () => setNudge(nudge + 1),
  }
}

interface Props {
  consent: ReturnType<typeof useConsent>
  quote: PreOrder
}

const ANCHOR = 'consent'
/** design pixels; scrolls it to the middle of the screen, clear of the bars */
const SCROLL_OFFSET = -240

/** Note in the action bar while the consent is missing. */
export const ConsentMissing = () => <View className='consent-need'>{copy.tickNeed}</View>

/** Explicit consent, never checked by default. */
export function RefundConsent({ consent: { tick, agreed, setAgreed, nudge }, quote: { payFen, agreeUrl } }: Props) {
  useEffect(() => {
    if (nudge > 0) void pageScrollTo({ selector: `#${ANCHOR}`, offsetTop: SCROLL_OFFSET, duration: 250 })
  }, [nudge])
  return (
    <View className={cx('consent', nudge > 0 && !agreed && 'consent--need')} id={ANCHOR}>
      <Checkbox value={agreed} onChange={setAgreed} nudge={nudge} name={`${copy.tickLead}${tick}`}>
        <Text>{copy.tickLead}</Text>
        <Text className='consent__tick'>{tick}</Text>
        <Text>{copy.and}</Text>
        <TextLink onClick={() => void nav.url(agreeUrl)}>{copy.notice}</TextLink>
        {payFen === 0 ? null : (
          <TextLink onClick={() => void nav.to('article', { key: 'REFUND' })}>{copy.refund}</TextLink>
        )}
      </Checkbox>
    </View>
  )
}
