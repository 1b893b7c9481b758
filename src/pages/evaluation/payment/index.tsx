import { PaymentScreen } from '@/features/checkout/CheckoutScreen'
import { page } from '@/router/page'

export default page('payment', PaymentScreen)
