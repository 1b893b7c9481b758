import { Text, View } from '@tarojs/components'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Checkbox, TextLink } from '@/ui/Checkbox/Checkbox'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
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

/** Asked when somebody goes on without the tick. */
export function AgreeOffer({ open, onAnswer }: { open: boolean; onAnswer: (yes: boolean) => void }) {
  return (
    <Sheet
      open={open}
      onClose={() => onAnswer(false)}
      title={copy.agreeTitle}
      foot={
        <View className='agree-foot'>
          <Button block onClick={() => onAnswer(true)}>
            {copy.agreeYes}
          </Button>
          <Button kind='ghost' block onClick={() => onAnswer(false)}>
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
