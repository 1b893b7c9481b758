import { CouponCenterScreen } from '@/features/coupons/CouponCenterScreen'
import { page } from '@/router/page'

export default page('couponCenter', CouponCenterScreen)
