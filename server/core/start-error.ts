/**
 * The server cannot start (or a tool cannot run) for a reason the operator can fix: printed as one sentence, exit code
 * 1.
 */
export class StartError extends Error {
  override name = 'StartError'
}

/** Why a server cannot listen, with the settings that say where. Other errors are returned unchanged. */
export function listenError(
  error: NodeJS.ErrnoException,
  { port, host }: { port: number; host: string },
  names: { port: string; host: string },
): unknown {
  if (error.code === 'EADDRINUSE')
    return new StartError(`端口 ${port} 已被占用（${names.port}）：请停掉占用它的程序，或换一个端口。`)
  if (error.code === 'EACCES')
    return new StartError(`没有权限监听端口 ${port}（${names.port}）：请使用 1024 以上的端口。`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new StartError(`地址 ${host} 不属于本机（${names.host}）：请改为本机地址，例如 127.0.0.1。`)
  return error
}

/** One line describing an unknown error, to complete a sentence. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0]?.trim() ?? '未知原因'
