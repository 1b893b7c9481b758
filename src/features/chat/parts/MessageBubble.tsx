import { View } from '@tarojs/components'
import { avatars } from '@/contract/labels'
import { momentInPastText } from '@/contract/timeText'
import type { ChatCard, ChatMessage } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { imagePreview } from '@/platform/imagePreview'
import { nav } from '@/router/nav'
import { session } from '@/session/store'
import { Avatar } from '@/ui/Avatar/Avatar'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import { Picture } from '@/ui/Picture/Picture'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { elementIdOf, type OutgoingMessage } from '../model'
import './MessageBubble.scss'

function Card({ card, type }: { card: ChatCard; type: 'ORDER_CARD' | 'REPORT_CARD' }) {
  const { orderId, reportNo, gameName, title, statusText } = card
  const open = () => void (reportNo ? nav.to('report', { orderId }) : nav.to('mineEvaluationRecords'))
  return (
    <Pressable className='ch-card' onClick={open}>
      <View className='ch-card__kind'>{`${copy.card[type]} · ${statusText}`}</View>
      <View className='ch-card__title'>{title || gameName}</View>
    </Pressable>
  )
}

function Body({ m }: { m: ChatMessage | OutgoingMessage }) {
  const { type, card } = m
  if ((type === 'ORDER_CARD' || type === 'REPORT_CARD') && card) return <Card card={card} type={type} />
  const src = 'seq' in m ? m.url : m.src
  if (type === 'IMAGE' && src)
    return (
      <Pressable className='ch-picture' label={copy.sentPicture} onClick={() => imagePreview.open([src])}>
        <Picture alt='' className='ch-picture__img' mode='aspectFill' src={src} />
      </Pressable>
    )
  return <View className='ch-bubble'>{'seq' in m ? m.text : m.content}</View>
}

interface Props {
  m: ChatMessage | OutgoingMessage
  /** a timestamp is shown above it */
  time: boolean
  /** shown under the user's latest message: whether the staff has read it */
  read?: boolean | undefined
  onAgain: (clientId: string) => void
  onDrop: (clientId: string) => void
}

function SendState({ m, read, onAgain, onDrop }: Props) {
  if ('seq' in m)
    return read === undefined ? null : <View className='ch-line__state'>{read ? copy.read : copy.unread}</View>
  if (m.state === 'sending')
    return (
      <View className='ch-line__state' {...a11y('status')}>
        {copy.sending}
      </View>
    )
  return (
    <View className='ch-line__failed' {...a11y('alert')}>
      <View className='ch-line__reason'>
        <Icon name='warning' size='s' className='ch-line__mark' />
        {m.reason ?? copy.failed}
      </View>
      <Pressable className='ch-line__way' onClick={() => onDrop(m.clientId)}>
        {copy.drop}
      </Pressable>
      <Pressable className='ch-line__way' onClick={() => onAgain(m.clientId)}>
        {copy.again}
      </Pressable>
    </View>
  )
}

/** The drawing beside a message: the user's own avatar, the appraiser's for answers to questions, else the staff's. */
export function Face({ of }: { of: 'USER' | 'APPRAISER' | 'STAFF' }) {
  const avatar = session().userInfo?.avatar
  const own = (avatar && avatars.find((known) => known === avatar)) || 'user'
  return (
    <View className='ch-line__face'>
      {of === 'USER' ? <Avatar icon={own} tone='blue' /> : <Avatar icon={of === 'STAFF' ? 'headset' : 'expert'} />}
    </View>
  )
}

/** One message: the user's on the right, the staff's on the left with a name, the system's centred. */
export function MessageBubble(props: Props) {
  const { m, time } = props
  const from = 'seq' in m ? m.from : 'USER'
  const nick = 'seq' in m ? m.nick : undefined
  const question = m.orderId !== undefined
  const about = 'seq' in m && m.orderTitle ? ` · ${m.orderTitle}` : ''
  return (
    <View id={elementIdOf(m)} className='ch-item'>
      {time ? <View className='ch-time'>{momentInPastText(m.at, serverTime())}</View> : null}
      <View className={cx('ch-line', from === 'USER' && 'ch-line--own', from === 'SYSTEM' && 'ch-line--system')}>
        {from === 'SYSTEM' ? null : <Face of={from === 'STAFF' && question ? 'APPRAISER' : from} />}
        {from === 'STAFF' ? (
          <View className='ch-line__nick'>{`${nick ?? copy.staff}${question ? ` · ${copy.answer}${about}` : ''}`}</View>
        ) : null}
        {from === 'USER' && question ? <View className='ch-line__nick'>{`${copy.question}${about}`}</View> : null}
        <Body m={m} />
        {from === 'USER' ? <SendState {...props} /> : null}
      </View>
    </View>
  )
}
