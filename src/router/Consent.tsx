import { Text, View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Pressable } from '@/ui/Pressable/Pressable'
import './Consent.scss'

type Readable = 'USER_AGREEMENT' | 'PRIVACY'

/** key under which the app stores that somebody only wants to browse */
export const PROMPT_KEY = 'privacy'

interface Props {
  /** a call of the host is waiting for the answer */
  waiting?: boolean
  onAnswer: (agreed: boolean) => void
  onRead: (key: Readable) => void
  /** the host's own button, placed over ours */
  children?: ReactNode
}

const words = {
  title: '用户协议和隐私政策',
  agreement: '《用户协议》',
  and: '和',
  privacy: '《隐私政策》',
  waiting: '刚才的功能要用到您的信息，微信要求您先同意隐私政策。',
  no: '不同意',
  notNow: '暂不使用',
  yes: '同意',
} as const

const Link = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <Pressable role='link' className='ui-consent__link' onClick={onClick}>
    {text}
  </Pressable>
)

/**
 * The privacy consent at first launch. It is not modal: without an answer the user can browse, and only data needed for
 * that are collected.
 */
export function Consent({ waiting, onAnswer, onRead, children }: Props) {
  return (
    <View className='ui-consent' {...a11y('dialog', { label: words.title })}>
      {waiting ? <View className='ui-consent__text'>{words.waiting}</View> : null}
      <View className='ui-consent__text'>
        <Link text={words.agreement} onClick={() => onRead('USER_AGREEMENT')} />
        <Text>{words.and}</Text>
        <Link text={words.privacy} onClick={() => onRead('PRIVACY')} />
      </View>
      <View className='ui-consent__row'>
        <View className='ui-consent__act'>
          <Button kind='secondary' block onClick={() => onAnswer(false)}>
            {waiting ? words.notNow : words.no}
          </Button>
        </View>
        <View className='ui-consent__act'>
          <Button block onClick={() => onAnswer(true)}>
            {words.yes}
          </Button>
          {children}
        </View>
      </View>
    </View>
  )
}
