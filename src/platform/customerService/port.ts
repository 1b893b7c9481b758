/** The host's own customer service (WeChat's, by an enterprise's account). Opens inside a tap only. */
export interface CustomerService {
  available(): boolean
  /** @param url link of the service · @param corpId id of the enterprise. False when it did not open. */
  open(url: string, corpId: string): Promise<boolean>
}
