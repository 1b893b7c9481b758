import type { CheckReachable } from './port'

export const probe: CheckReachable = async () => true
