/** Texts of the frequent reads, see precompiled-query.ts, with the number of each. Others are sent unprepared. */
const preparable = new Map<string, number>()

/** Lets a text be prepared. Only for reads: a test on PostgreSQL failed when statements that settle refunds were. */
export function allowPreparing(text: string): void {
  if (!preparable.has(text)) preparable.set(text, preparable.size)
}

export interface Statements {
  /** Name under which this text is prepared on every connection; undefined: it is sent unprepared. */
  nameOf(text: string): string | undefined
  /** Prepares everything again, under other names. */
  renew(): void
}

/** Names the frequent reads, so that the database plans them once per connection. */
export function createStatements(): Statements {
  let generation = 0
  return {
    nameOf(text) {
      const n = preparable.get(text)
      return n === undefined ? undefined : `s${generation}_${n}`
    },
    renew() {
      generation += 1
    },
  }
}
