/**
 * `ASSET_BASE`: where browsers fetch the built files from (spec §7: static assets and page chunks come from a content
 * delivery host), `https://cdn.example.com/app/`; without it from the page's own origin.
 * @throws Error when it is not an http address
 */
function readBase(): string {
  const given = process.env.ASSET_BASE
  if (!given) return '/'
  const { protocol, search, hash } = new URL(given)
  if (!/^https?:$/.test(protocol) || search || hash)
    throw new Error(`ASSET_BASE has to be an http address without a query: ${given}`)
  return given.replace(/\/*$/, '/')
}

export const assetBase = readBase()
/**
 * Scripts from another origin are requested with CORS, so that their errors are reported and the service worker can
 * cache them.
 */
export const isCrossOrigin = assetBase !== '/'
