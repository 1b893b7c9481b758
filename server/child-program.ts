/** Programs that the server starts itself: a training process, drawing threads. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** File for Node to run, and options that differ from this process. */
export interface Program {
  filename: string
  options: { execArgv?: string[]; env?: NodeJS.ProcessEnv }
}

/**
 * Compiled programs (scripts/compile-server.mjs) lie side by side. When run from source, a new process or thread loads
 * TypeScript on its own, even if this process was loaded by something else (tests).
 * @param source its file, relative to this folder
 */
export function resolveProgram(source: string): Program {
  if (path.extname(__filename) === '.js')
    return { filename: path.join(path.dirname(__filename), `${path.basename(source, '.ts')}.js`), options: {} }
  return {
    filename: path.join(__dirname, source),
    options: {
      execArgv: ['--import', pathToFileURL(require.resolve('tsx')).href],
      env: { ...process.env, TSX_TSCONFIG_PATH: path.join(__dirname, 'tsconfig.json') },
    },
  }
}
