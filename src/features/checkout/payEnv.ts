import type { PayEnv } from '@/contract/labels'
import { payments } from '@/platform/pay'
import { inIosShell } from '@/session/store'

/** Payment environment: in the iOS shell only Apple's in-app purchase is allowed. */
export const payEnv = (): PayEnv => (inIosShell() ? 'IOS_APP' : payments.env())
