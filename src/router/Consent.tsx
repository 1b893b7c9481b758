import { Text, View } from '@tarojs/components'
import { HostAgreeButton } from '@/platform/privacy'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Pressable } from '@/ui/Pressable/Pressable'
import './Consent.scss'

type Readable = 'USER_AGREEMENT' | 'PRIVACY'

interface Props {
  /** a call of the host is waiting for the answer */
  waiting?: boolean
  onAnswer: (agreed: boolean) => void
  onRead: (key: Readable) => void
}

const words = {
  title: '欢迎使用游戏账号估价专家',
  before: '请阅读',
  agreement: '《用户协议》',
  and: '和',
  privacy: '《隐私政策》',
  use: '其中写明我们收集哪些信息、用来做什么',
  browse: '不同意也可以浏览和查看公开内容',
  waiting: '刚才的功能要用到您的信息，微信要求您先同意隐私政策。',
  no: '不同意，仅浏览',
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
export function Consent({ waiting, onAnswer, onRead }: Props) {
  return (
    <View className='ui-consent' {...a11y('dialog', { label: words.title })}>
      <View className='ui-consent__title'>{words.title}</View>
      {waiting ? <View className='ui-consent__text'>{words.waiting}</View> : null}
      <View className='ui-consent__text'>
        <Text>{words.before}</Text>
        <Link text={words.agreement} onClick={() => onRead('USER_AGREEMENT')} />
        <Text>{words.and}</Text>
        <Link text={words.privacy} onClick={() => onRead('PRIVACY')} />
      </View>
      {/* a block per sentence: as one paragraph it would be the page's largest text, and its late arrival the LCP */}
      <View className='ui-consent__text'>{words.use}</View>
      <View className='ui-consent__text'>{words.browse}</View>
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
          <HostAgreeButton onAgree={() => onAnswer(true)} />
        </View>
      </View>
    </View>
  )
}
