/** How an ad ended. `none`: none was available. */
export type AdResult = 'watched' | 'closed' | 'none'

export interface RewardedAd {
  /** Shows the ad; call it as part of a tap. */
  show(adUnitId: string): Promise<AdResult>
}
