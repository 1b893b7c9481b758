import { View } from '@tarojs/components'
import type { ChatMessage, Order, StaffCard } from '@/contract/types'
import type { Gallery } from '@/ui/gallery'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { Composer } from './parts/Composer'
import { MessageBubble } from './parts/MessageBubble'
import { QuestionNotice } from './parts/QuestionNotice'
import { StaffHeader } from './parts/StaffHeader'

const at = Date.parse('2026-11-21T10:24:00+08:00')
const staff: StaffCard = {
  ...{ staffId: 's1', nick: '顾问 小安', avatar: '', wecomQr: '', kfUrl: '', corpId: '' },
  ...{ online: true, serviceHours: '09:00–24:00', avgReplySec: 95 },
}
const nothing = () => undefined
const say = (seq: number, part: Partial<ChatMessage>): ChatMessage => ({
  ...{ seq, type: 'TEXT', from: 'STAFF', nick: '小林', text: '', at },
  ...part,
})
const card = {
  orderId: 'o1',
  gameName: '王者荣耀',
  title: '王者荣耀 · 安卓QQ',
  mode: 'MANUAL',
  statusText: '估价中',
} as const
const talk = [
  say(1, { from: 'USER', type: 'ORDER_CARD', card }),
  say(2, { from: 'USER', text: '还要多久出报告？皮肤里有两款绝版的，麻烦看仔细一点。' }),
  say(3, {
    from: 'SYSTEM',
    type: 'SYSTEM',
    text: '现在不在工作时间（每天 09:00–24:00）。您的消息已收到，我们会在今天 09:00 上班后尽快回复您。',
  }),
  say(4, { text: '您好，估价师已经接单，预计 11:30 前出报告。绝版皮肤会单独列出来。' }),
  say(5, { from: 'USER', text: '好的，谢谢' }),
]
const question = [
  say(6, { from: 'USER', text: '价格为什么和 AI 估价不一样？', orderId: 'o1' }),
  say(7, { text: '两款绝版近两周都高于均价成交，AI 的样本里还没有。', orderId: 'o1' }),
]
const order = { orderId: 'o1', appraiser: '小林', askUntil: at + 6 * 86_400_000 } as Order
const out = { clientId: 'c1', type: 'TEXT', content: '对了，能开发票吗？', at } as const
const actions = { onAgain: nothing, onDrop: nothing }

const gallery: Gallery = {
  title: '在线咨询',
  states: [
    { name: '加载中', render: () => <SkeletonRows /> },
    { name: '顾问在线', render: () => <StaffHeader staff={staff} /> },
    { name: '休息中', render: () => <StaffHeader staff={{ ...staff, online: false, avgReplySec: 0 }} /> },
    { name: '没有顾问', render: () => <StaffHeader staff={undefined} /> },
    {
      name: '对话',
      render: () => (
        <View>
          {talk.map((m) => (
            <MessageBubble key={m.seq} m={m} time={m.seq === 1} read={m.seq === 5 ? true : undefined} {...actions} />
          ))}
        </View>
      ),
    },
    {
      name: '问估价师',
      render: () => (
        <View>
          {question.map((m) => (
            <MessageBubble key={m.seq} m={m} time={false} {...actions} />
          ))}
          <QuestionNotice order={order} ask='o1' over={false} leave={nothing} />
        </View>
      ),
    },
    { name: '提问已截止', render: () => <QuestionNotice order={order} ask={undefined} over leave={nothing} /> },
    { name: '发送中', render: () => <MessageBubble m={{ ...out, state: 'sending' }} time={false} {...actions} /> },
    {
      name: '发送失败',
      render: () => <MessageBubble m={{ ...out, state: 'failed', reason: copy.failed }} time={false} {...actions} />,
    },
    { name: '输入框', render: () => <Composer onSend={nothing} onMore={nothing} /> },
  ],
}

export default gallery
