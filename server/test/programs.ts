/** How a test starts one of the server's programs as its own process. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from './temp'

/**
 * The file that Node runs for a source file: its bundle (see bundle.ts), or the source itself where there is none.
 * @param file relative to the project, e.g. `server/main.ts`
 */
export function programOf(file: string): { program: string; execArgv: string[]; env: Record<string, string> } {
  const { SERVER_BUNDLE } = process.env
  const bundled = SERVER_BUNDLE && path.join(SERVER_BUNDLE, `${path.basename(file, '.ts')}.js`)
  if (bundled && existsSync(bundled)) return { program: bundled, execArgv: [], env: {} }
  const env = { TSX_TSCONFIG_PATH: path.join(root, 'server/tsconfig.json') }
  return { program: path.join(root, file), execArgv: ['--import', 'tsx'], env }
}
