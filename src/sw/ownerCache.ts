/**
 * Cache of what belongs to the reader: the app empties it at sign-out (platform/offline knows how its name begins), the
 * worker when the server knows the login no more.
 */
const OWN_CACHE = 'own-1'

const hash = async (text: string) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))]
    .map((n) => n.toString(16).padStart(2, '0'))
    .join('')

/**
 * Under what an answer is kept: who asks and what for. Nothing for somebody unknown, so that nothing crosses from one
 * reader to another; the token itself is not in it.
 */
async function ownKey(request: Request): Promise<string | undefined> {
  const [user, token] = [request.headers.get('userId'), request.headers.get('Token')]
  if (!user || !token) return undefined
  const body = request.method === 'POST' ? await request.clone().text() : ''
  return `/own/${await hash([user, token, request.url, body].join('\n'))}`
}

/** Stores only successful answers, without request data. */
async function keep(cache: Cache, key: string, answer: Response) {
  const body = await answer.text()
  if (!body.includes('"success":true')) return
  await cache.put(key, new Response(body, { headers: { 'content-type': 'application/json' } }))
}

/** Network first for the user's own reports and records, with the cached answer as fallback. */
export async function networkFirst({ request }: { request: Request }): Promise<Response> {
  const key = await ownKey(request)
  // there is no Taro in a service worker, so it uses `fetch`
  if (!key) return fetch(request)
  // opened before asking: what comes after the sign-out goes into the cache that was removed then, and with it
  const cache = await caches.open(OWN_CACHE)
  try {
    // as above
    const answer = await fetch(request.clone())
    if (answer.status === 401) await caches.delete(OWN_CACHE)
    else if (answer.ok) await keep(cache, key, answer.clone())
    return answer
  } catch (e) {
    const kept = await cache.match(key)
    if (kept) return kept
    throw e
  }
}
