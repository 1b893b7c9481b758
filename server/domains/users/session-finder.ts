/** A login. */
export interface Session {
  userId: string
  sessionId: string
}

/** Finds the session of a token; undefined when it is missing, unknown or expired. */
export type SessionFinder = (token: string, now: number) => Promise<Session | undefined>
