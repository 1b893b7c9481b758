/** How an ad ended. `none`: there was none to show. */
export type AdResult = 'watched' | 'closed' | 'none'

export interface RewardedAd {
  /** Shows the ad; call it as part of a tap. */
  show(adUnitId: string): Promise<AdResult>
}
