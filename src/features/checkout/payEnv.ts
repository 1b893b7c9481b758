import type { PayEnv } from '@/contract/labels'
import { payments } from '@/platform/pay'
import { inIosShell } from '@/session/store'

/** Where a payment is made: the iOS shell is a browser that may sell by Apple alone. */
export const payEnv = (): PayEnv => (inIosShell() ? 'IOS_APP' : payments.env())
