import { CouponRecordsScreen } from '@/features/coupons/CouponRecordsScreen'
import { page } from '@/router/page'

export default page('mineCouponRecords', CouponRecordsScreen)
