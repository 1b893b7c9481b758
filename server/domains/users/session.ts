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
