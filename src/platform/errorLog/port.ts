/** Values of a log line: never texts a user has typed. */
export type LogFacts = Readonly<Record<string, string | number | undefined>>

export interface Uncaught {
  kind: 'error' | 'rejection'
  reason: unknown
}

/** The log the operators can read from afar, where the host keeps one. */
export interface ErrorLog {
  /** Tells what nobody has caught. */
  onUncaught(listener: (error: Uncaught) => void): void
  write(level: 'warn' | 'error', event: string, facts: LogFacts): void
}
