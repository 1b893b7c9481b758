import { Text, View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Checkbox, TextLink } from '@/ui/Checkbox/Checkbox'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import type { Agreement } from '../useAgreement'
import './Agreement.scss'

function AgreementText({ lead }: { lead: string }) {
  return (
    <>
      <Text>{lead}</Text>
      <TextLink onClick={() => void nav.to('article', { key: 'USER_AGREEMENT' })}>{copy.agreement}</TextLink>
      <Text>{copy.and}</Text>
      <TextLink onClick={() => void nav.to('article', { key: 'PRIVACY' })}>{copy.privacy}</TextLink>
    </>
  )
}

interface QuestionProps {
  open: boolean
  onClose: () => void
  /** the button that agrees and continues */
  yes: ReactNode
}

export function AgreementPrompt({ open, onClose, yes }: QuestionProps) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={copy.agreeTitle}
      foot={
        <View className='agree-foot'>
          {yes}
          <Button kind='ghost' block onClick={onClose}>
            {copy.agreeNo}
          </Button>
        </View>
      }
    >
      <View className='agree-text'>
        <AgreementText lead={copy.agreeBody} />
        <View className='agree-note'>{copy.agreeNote}</View>
      </View>
    </Sheet>
  )
}

/** Asks for agreement when the user continues without checking the box. */
export function AgreementSheet({ agreement: { promptOpen, answer } }: { agreement: Agreement }) {
  const yes = (
    <Button block onClick={() => answer(true)}>
      {copy.agreeYes}
    </Button>
  )
  return <AgreementPrompt open={promptOpen} onClose={() => answer(false)} yes={yes} />
}

/** Agreement of a login form, never ticked beforehand, with its prompt; users who agreed earlier only see a note. */
export function LoginAgreement({ agreement }: { agreement: Agreement }) {
  const { agreedBefore, agreed, setAgreed, shakes } = agreement
  const name = `${copy.agreeLead}${copy.agreement}${copy.and}${copy.privacy}`
  if (agreedBefore)
    return (
      <View className='agree agree--known'>
        <AgreementText lead={copy.agreed} />
      </View>
    )
  return (
    <>
      <View className='agree'>
        <Checkbox value={agreed} onChange={setAgreed} name={name} shakes={shakes}>
          <AgreementText lead={copy.agreeLead} />
        </Checkbox>
      </View>
      <AgreementSheet agreement={agreement} />
    </>
  )
}
