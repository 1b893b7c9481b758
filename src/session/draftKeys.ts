/** Storage keys of drafts, also used by an inline script of the server-rendered home page (src/ssr). */

/** key of the list of drafts */
export const DRAFTS_KEY = 'drafts'

/** Key prefix of an owner's drafts; undefined for guests. Also serialised into an inline script. */
export const draftKeyPrefix = (owner: string | undefined) => `draft:${owner || 'anon'}:`
