/** Values of a log line: never texts a user has typed. */
export type LogFields = Readonly<Record<string, string | number | undefined>>

export interface UncaughtError {
  kind: 'error' | 'rejection'
  reason: unknown
}

/** Remote log for operators, where the host provides one. */
export interface ErrorLog {
  /** Subscribes to uncaught errors. */
  onUncaught(listener: (error: UncaughtError) => void): void
  write(level: 'warn' | 'error', event: string, fields: LogFields): void
}
