import { Text, View } from '@tarojs/components'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Checkbox, TextLink } from '@/ui/Checkbox/Checkbox'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import type { Agreement } from '../useLogin'
import './Agree.scss'

function Sentence({ lead }: { lead: string }) {
  return (
    <>
      <Text>{lead}</Text>
      <TextLink onClick={() => void nav.to('article', { key: 'USER_AGREEMENT' })}>{copy.agreement}</TextLink>
      <Text>{copy.and}</Text>
      <TextLink onClick={() => void nav.to('article', { key: 'PRIVACY' })}>{copy.privacy}</TextLink>
    </>
  )
}

interface AgreeProps {
  value: boolean
  onChange: (value: boolean) => void
  nudge: number
}

/** The consent, never ticked beforehand (product 4.2). */
export function Agree({ value, onChange, nudge }: AgreeProps) {
  const name = `${copy.agreeLead}${copy.agreement}${copy.and}${copy.privacy}`
  return (
    <View className='agree'>
      <Checkbox value={value} onChange={onChange} name={name} nudge={nudge}>
        <Sentence lead={copy.agreeLead} />
      </Checkbox>
    </View>
  )
}

/** The question for whoever goes on without the tick. */
export function AgreeSheet({ agreement: { offer, answer } }: { agreement: Agreement }) {
  return (
    <Sheet
      open={offer}
      onClose={() => answer(false)}
      title={copy.agreeTitle}
      foot={
        <View className='agree-foot'>
          <Button block onClick={() => answer(true)}>
            {copy.agreeYes}
          </Button>
          <Button kind='ghost' block onClick={() => answer(false)}>
            {copy.agreeNo}
          </Button>
        </View>
      }
    >
      <View className='agree-text'>
        <Sentence lead={copy.agreeBody} />
        <View className='agree-note'>{copy.agreeNote}</View>
      </View>
    </Sheet>
  )
}

/** The consent of a login form, and the question about it. */
export function AgreeToLogin({ agreement }: { agreement: Agreement }) {
  const { agreed, setAgreed, nudge } = agreement
  return (
    <>
      <Agree value={agreed} onChange={setAgreed} nudge={nudge} />
      <AgreeSheet agreement={agreement} />
    </>
  )
}
