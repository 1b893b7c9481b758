/** Names of the frequent reads by their texts: the database plans them once per connection. Others are sent unprepared. */
const names = new Map<string, string>()
let named = 0

/** Prepares a text under another name, because its plan is outdated. */
export function prepareAgain(text: string): void {
  named += 1
  names.set(text, `s${named}`)
}

/** Lets a text be prepared. Only for reads: a test on PostgreSQL failed when statements that settle refunds were. */
export function allowPreparing(text: string): void {
  if (!names.has(text)) prepareAgain(text)
}

export const nameOf = (text: string): string | undefined => names.get(text)
