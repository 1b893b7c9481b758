/** A login. */
export interface Session {
  userId: string
  sessionId: string
}

/** Rows of the caller, and the session with which they were read. */
export interface SessionRows<R> {
  session: Session
  rows: R[]
}
