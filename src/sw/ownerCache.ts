/**
 * Cache of the user's own reports and records. The app deletes it at sign-out (platform/offline knows the prefix of its
 * name), the worker when the server rejects the login.
 */
const OWN_CACHE = 'own-1'

const hash = async (text: string) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))]
    .map((n) => n.toString(16).padStart(2, '0'))
    .join('')

/**
 * Cache key: a hash of user, login and request, so that no user gets another one's data and the token is not stored.
 * Undefined for requests without login, which are not cached.
 */
async function ownKey(request: Request): Promise<string | undefined> {
  const [user, token] = [request.headers.get('userId'), request.headers.get('Token')]
  if (!user || !token) return undefined
  const body = request.method === 'POST' ? await request.clone().text() : ''
  return `/own/${await hash([user, token, request.url, body].join('\n'))}`
}

/** Stores only successful responses, without request data. */
async function keep(cache: Cache, key: string, response: Response) {
  const body = await response.text()
  if (!body.includes('"success":true')) return
  await cache.put(key, new Response(body, { headers: { 'content-type': 'application/json' } }))
}

/** Network first for the user's own reports and records, with the cached response as fallback. */
export async function networkFirst({ request }: { request: Request }): Promise<Response> {
  const key = await ownKey(request)
  // there is no Taro in a service worker, so it uses `fetch`
  if (!key) return fetch(request)
  // opened before the request: if the user signs out meanwhile, the response goes into the deleted cache and is discarded
  const cache = await caches.open(OWN_CACHE)
  try {
    // see above: no Taro here
    const response = await fetch(request.clone())
    if (response.status === 401) await caches.delete(OWN_CACHE)
    else if (response.ok) await keep(cache, key, response.clone())
    return response
  } catch (e) {
    const kept = await cache.match(key)
    if (kept) return kept
    throw e
  }
}
