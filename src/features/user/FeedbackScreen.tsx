import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useCall } from '@/api/useCall'
import { usePages } from '@/api/usePages'
import { feedbackStatusText, feedbackTypeText } from '@/contract/labels'
import { momentInPastText } from '@/contract/timeText'
import type { Feedback } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import type { ScreenProps } from '@/router/page'
import { usePageSignal } from '@/router/pageContext'
import { Card } from '@/ui/Card/Card'
import { Chips, optionsOf } from '@/ui/Chip/Chips'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from './copy'
import { FeedbackForm, feedbackTypes } from './parts/FeedbackForm'

const words = copy.feedback
const tabs = optionsOf(words.tabs)

function FeedbackItem({ type, content, status, reply, repliedAt, createdAt }: Feedback) {
  return (
    <Card>
      <View className='feedback__head'>
        <View>{`${feedbackTypeText[type]} · ${momentInPastText(createdAt, serverTime())}`}</View>
        <Tag tone={status === 'REPLIED' ? 'ok' : 'blue'}>{feedbackStatusText[status]}</Tag>
      </View>
      <View className='feedback__content'>{content}</View>
      {reply ? (
        <View className='feedback__reply'>
          {`${words.reply} · ${momentInPastText(repliedAt, serverTime())}\n${reply}`}
        </View>
      ) : null}
    </Card>
  )
}

function MyFeedback() {
  const { list } = usePages<Feedback>({
    key: 'feedback',
    fetchPage: (pageNo, signal) => api.user.feedbackList({ pageNo }, { quiet: true, signal }),
    idOf: ({ id }) => id,
    signal: usePageSignal(),
  })
  return (
    <List {...list} empty={<Empty text={words.empty} />}>
      {(feedback) => <FeedbackItem {...feedback} />}
    </List>
  )
}

/** User reviews; shown only when there are real ones. */
function UserReviews() {
  const { data } = useCall('app', 'feedbackUserCount', {})
  return data && data.n > 0 ? <View className='feedback__users'>{words.users(data.n)}</View> : null
}

/** Feedback form and the user's earlier feedback with our answers. */
export function FeedbackScreen({ params }: ScreenProps<'mineUserFeedback'>) {
  const [tab, setTab] = useState<keyof typeof words.tabs>('write')
  const type = feedbackTypes.find(({ v }) => String(v) === params.type)?.v
  return (
    <View>
      <Chips page role='tab' label={words.tabsName} options={tabs} isOn={(option) => option === tab} onPick={setTab} />
      {tab === 'write' ? (
        <>
          <FeedbackForm type={type} onSeeMine={() => setTab('mine')} />
          <UserReviews />
        </>
      ) : (
        <MyFeedback />
      )}
    </View>
  )
}
