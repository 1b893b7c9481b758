import { NETWORK_TIMEOUT } from '@/contract/constants'

/** Another service and the error that says it did not answer. */
export interface Service {
  name: string
  Unavailable: new (message: string) => Error
}

/**
 * One request for JSON.
 * @throws Unavailable with the status or the kind of the failure only: addresses and bodies hold secrets and numbers
 */
export async function fetchJson<T>({ name, Unavailable }: Service, address: string, init?: RequestInit): Promise<T> {
  const failed = (error: Error): never => {
    throw new Unavailable(`${name}: ${error.name}`)
  }
  const signal = AbortSignal.timeout(NETWORK_TIMEOUT / 6)
  const response = await fetch(address, { ...init, signal }).catch(failed)
  if (!response.ok) throw new Unavailable(`${name}: HTTP ${response.status}`)
  return response.json().catch(failed) as Promise<T>
}

/** The same by a POST of exactly this text. */
export const postJson = <T>(service: Service, address: string, body: string, headers: Record<string, string> = {}) =>
  fetchJson<T>(service, address, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
