import { api } from '@/api'

/** The share in a response: token and picture, both undefined after it has ended. */
export interface ShareState {
  token?: string
  image?: string
}

/** Starts or ends sharing of a report; the server creates and revokes the token. */
export async function requestShare(orderId: string, withdraw = false): Promise<ShareState> {
  const request = withdraw ? { orderId, withdraw } : { orderId }
  const { shareToken: token, image } = await api.evaluation.reportImageShare(request, { quiet: true })
  return token ? { token, image } : {}
}
