import { CheckoutScreen } from '@/features/checkout/CheckoutScreen'
import { page } from '@/router/page'

export default page('humanCheckout', CheckoutScreen)
