/**
 * The server cannot start (or a tool cannot run) for a reason the operator can fix: printed as one sentence, exit code
 * 1.
 */
export class StartError extends Error {
  override name = 'StartError'
}

/** One line describing an unknown error, to complete a sentence. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0]?.trim() ?? '未知原因'
