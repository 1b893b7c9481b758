import type { IsReachable } from './port'

export const isReachable: IsReachable = async () => true
