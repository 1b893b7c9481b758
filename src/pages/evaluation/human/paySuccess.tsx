import { PaySuccessScreen } from '@/features/checkout/PaySuccessScreen'
import { page } from '@/router/page'

export default page('humanPaySuccess', PaySuccessScreen)
