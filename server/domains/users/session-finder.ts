/** A login. */
export interface Session {
  userId: string
  sessionId: string
}

/** Rows of the caller, and the login they were read by. */
export interface SessionRows<R> {
  session: Session
  rows: R[]
}

/** Finds the session of a token; undefined when it is missing, unknown or expired. */
export type SessionFinder = (token: string, now: number) => Promise<Session | undefined>
