import { Text, View } from '@tarojs/components'
import { pageScrollTo } from '@tarojs/taro'
import { useEffect } from 'react'
import { nav } from '@/router/nav'
import { Checkbox, TextLink } from '@/ui/Checkbox/Checkbox'
import { cx } from '@/ui/cx'
import { copy } from '../copy'
import './RefundConsent.scss'

interface Props {
  value: boolean
  onChange: (value: boolean) => void
  nudge: number
  /** URL of the rules, from the server */
  agreeUrl: string
}

const ANCHOR = 'consent'
/** design pixels; scrolls it to the middle of the screen, clear of the bars */
const SCROLL_OFFSET = -240

/** Note in the action bar while the consent is missing. */
export const ConsentMissing = () => <View className='consent-need'>{copy.tickNeed}</View>

/** Explicit consent, never checked by default. */
export function RefundConsent({ value, onChange, nudge, agreeUrl }: Props) {
  useEffect(() => {
    if (nudge > 0) void pageScrollTo({ selector: `#${ANCHOR}`, offsetTop: SCROLL_OFFSET, duration: 250 })
  }, [nudge])
  return (
    <View className={cx('consent', nudge > 0 && !value && 'consent--need')} id={ANCHOR}>
      <Checkbox value={value} onChange={onChange} nudge={nudge} name={`${copy.tickLead}${copy.tick}`}>
        <Text>{copy.tickLead}</Text>
        <Text className='consent__tick'>{copy.tick}</Text>
        <Text>{copy.and}</Text>
        <TextLink onClick={() => void nav.url(agreeUrl)}>{copy.notice}</TextLink>
        <TextLink onClick={() => void nav.to('article', { key: 'REFUND' })}>{copy.refund}</TextLink>
      </Checkbox>
    </View>
  )
}
