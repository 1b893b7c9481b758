import { PaymentScreen } from '@/features/checkout/PaymentScreen'
import { page } from '@/router/page'

export default page('payment', PaymentScreen)
