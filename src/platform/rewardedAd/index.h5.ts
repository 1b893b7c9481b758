import type { RewardedAd } from './port'

/** A browser has no rewarded ads. */
export const rewardedAd: RewardedAd = { show: async () => 'none' }
