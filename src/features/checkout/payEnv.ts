import type { PayEnv } from '@/contract/labels'
import { payments } from '@/platform/pay'
import { isInIosApp } from '@/session/store'

/** Payment environment: in the iOS app only Apple's in-app purchase is allowed. */
export const payEnv = (): PayEnv => (isInIosApp() ? 'IOS_APP' : payments.env())
