import { DAY_MS } from '@/contract/time'
import type { CentreCoupon, UserCoupon } from '@/contract/types'
import { sampleCentreCoupon, sampleCoupon } from '@/samples/coupon'
import { Empty } from '@/ui/Empty/Empty'
import type { Gallery } from '@/ui/gallery'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { CentreCouponCard } from './CouponCenterScreen'
import { UserCouponCard } from './CouponRecordsScreen'
import { copy } from './copy'
import { CouponsUnavailable } from './parts/WhereCouponsShow'

const nothing = () => undefined
const rule = { templateId: 't1', name: '人工估价满减券', type: 'CASH_OFF', amountFen: 300, thresholdFen: 1900 } as const
const held = (over: Partial<UserCoupon> = {}) => <UserCouponCard coupon={sampleCoupon({ ...rule, ...over })} />
const offered = (over: Partial<CentreCoupon> = {}) => (
  <CentreCouponCard coupon={sampleCentreCoupon({ ...rule, days: 15, ...over })} onStale={nothing} />
)

const gallery: Gallery = {
  title: '优惠券',
  states: [
    { name: '加载中', render: () => <SkeletonRows /> },
    { name: '待使用', render: () => held() },
    { name: '即将过期', render: () => held({ endAt: Date.now() + 2 * DAY_MS }) },
    { name: '使用中', render: () => held({ status: 'LOCKED' }) },
    { name: '折扣券', render: () => held({ type: 'PERCENT', percent: 80, capFen: 1000, amountFen: undefined }) },
    { name: '体验券', render: () => held({ type: 'FREE', name: '新人体验券', scope: 'AI', thresholdFen: 0 }) },
    { name: '已使用', render: () => held({ status: 'USED', usedAt: 1_763_692_800_000 }) },
    { name: '已过期', render: () => held({ status: 'EXPIRED', endAt: 1_763_692_800_000 }) },
    { name: '可领取', render: () => offered() },
    { name: '已领取', render: () => offered({ state: 'RECEIVED', left: 39 }) },
    { name: '已抢光', render: () => offered({ state: 'SOLD_OUT', left: 0 }) },
    { name: '未开始', render: () => offered({ state: 'NOT_STARTED', receiveStartAt: Date.now() + 3_600_000 }) },
    { name: '已结束', render: () => offered({ state: 'ENDED' }) },
    { name: '没有优惠券', render: () => <Empty art='box' text={copy.empty.UNUSED} /> },
    { name: '不显示价格的环境', render: () => <CouponsUnavailable /> },
  ],
}

export default gallery
