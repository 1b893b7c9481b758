import { Text, View } from '@tarojs/components'
import { nav } from '@/router/nav'
import { Checkbox, TextLink } from '@/ui/Checkbox/Checkbox'
import { copy } from '../copy'
import './Consent.scss'

interface Props {
  value: boolean
  onChange: (value: boolean) => void
  nudge: number
  /** where the rules stand, from the server */
  agreeUrl: string
}

/** Explicit and never ticked beforehand (product 4.5). */
export function Consent({ value, onChange, nudge, agreeUrl }: Props) {
  return (
    <View className='consent'>
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
