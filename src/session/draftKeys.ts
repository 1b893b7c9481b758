/** Where a device keeps its drafts; also read by a script of the server's first screen (src/first). */

/** what lists them */
export const DRAFTS_KEY = 'drafts'

/** What the key of each draft of an owner begins with; undefined while nobody is logged in. Runs inside a page too, by itself. */
export const draftKeyPrefix = (owner: string | undefined) => `draft:${owner || 'anon'}:`
