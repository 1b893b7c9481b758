/** Texts of the frequent reads, see precompiled-query.ts. Statements that change rows are sent unprepared. */
const preparable = new Set<string>()

/** Lets a text be prepared. Only for reads: a test on PostgreSQL failed when statements that settle refunds were. */
export const allowPreparing = (text: string) => preparable.add(text)

/** uses of a statement's text after which it is prepared: one that is never repeated costs the server memory only */
const PREPARED_FROM = 3
/** statements prepared per connection */
const MAX_PREPARED = 300
/** texts whose uses are counted */
const MAX_COUNTED = 2000

export interface Statements {
  /** Name under which this text is prepared on every connection; undefined: it is sent unprepared. */
  nameOf(text: string): string | undefined
  /** Prepares everything again, under other names. */
  renew(): void
}

/** Decides which of the frequent reads are prepared: the database then plans them once per connection. */
export function createStatements(): Statements {
  const names = new Map<string, string>()
  const uses = new Map<string, number>()
  let generation = 0
  return {
    nameOf(text) {
      const existing = names.get(text)
      if (existing !== undefined || names.size >= MAX_PREPARED || !preparable.has(text)) return existing
      const n = (uses.get(text) ?? 0) + 1
      if (n < PREPARED_FROM) {
        // texts with lists of different lengths would grow without bound
        if (uses.size >= MAX_COUNTED) uses.clear()
        uses.set(text, n)
        return undefined
      }
      uses.delete(text)
      const name = `s${generation}_${names.size}`
      names.set(text, name)
      return name
    },
    renew() {
      generation += 1
      names.clear()
    },
  }
}
