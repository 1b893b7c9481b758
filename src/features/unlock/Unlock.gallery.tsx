import type { UnlockHelp, UnlockRecord } from '@/contract/types'
import { Empty } from '@/ui/Empty/Empty'
import type { Gallery } from '@/ui/gallery'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { AcceptContent } from './AcceptScreen'
import { copy } from './copy'
import { InviteContent } from './InviteScreen'
import { UnlockedCelebration } from './parts/UnlockedCelebration'
import { helpOutcome } from './useAccept'

const friend = { avatar: '', nickMasked: '玩**8', at: 0 }
const shared = { recordId: 'r1', need: 3, got: 1, status: 'ONGOING', helpers: [friend] } as const
const record: UnlockRecord = {
  ...shared,
  helpers: [friend],
  orderId: 'o1',
  expireAt: Date.now() + 83_000_000,
  restartsLeft: 2,
}
const seen: UnlockHelp = {
  ...shared,
  helpers: [friend],
  expireAt: record.expireAt,
  ownerNickMasked: '峡**客',
  gameId: 'hok',
  gameName: '王者荣耀',
}
const nothing = () => undefined
const invitation = (over: Partial<UnlockRecord> = {}) => (
  <InviteContent record={{ ...record, ...over }} methods={['PAY', 'HELP', 'AD']} onRestart={nothing} onLook={nothing} />
)
const helper = (over: Partial<UnlockHelp> = {}) => {
  const all = { ...seen, ...over }
  return <AcceptContent record={all} outcome={helpOutcome(all)} onHelp={nothing} />
}
const thanks = { kind: 'thanks', text: copy.thanks, note: copy.thanksNote(1) } as const

const gallery: Gallery = {
  title: '助力解锁',
  states: [
    { name: '加载中', render: () => <SkeletonReport /> },
    { name: '邀请中', render: () => invitation() },
    { name: '已过期', render: () => invitation({ status: 'EXPIRED' }) },
    { name: '不能再发起', render: () => invitation({ status: 'EXPIRED', restartsLeft: 0 }) },
    { name: '解锁成功', render: () => <UnlockedCelebration orderId='gallery' visible={false} /> },
    { name: '帮TA解锁', render: () => helper() },
    {
      name: '助力成功',
      render: () => (
        <AcceptContent record={{ ...seen, got: 2, helpers: [friend, friend] }} outcome={thanks} onHelp={nothing} />
      ),
    },
    { name: '自己的邀请', render: () => helper({ ownOrderId: 'o1' }) },
    { name: '已助力过', render: () => helper({ helped: true }) },
    { name: '来晚了', render: () => helper({ status: 'DONE', got: 3, helpers: [friend, friend, friend] }) },
    { name: '不存在', render: () => <Empty art='box' text={copy.notFound} note={copy.missingNote} /> },
  ],
}

export default gallery
