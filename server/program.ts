/** Programs of the server that it starts itself: a process that trains, threads that draw. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** What Node is to run, and how, where that is not as in this process. */
export interface Program {
  filename: string
  options: { execArgv?: string[]; env?: NodeJS.ProcessEnv }
}

/**
 * Compiled (scripts/compile-server.mjs), all programs lie side by side. From the sources a new process or thread reads
 * TypeScript by itself, also where this one was loaded by something else (tests).
 * @param source its file, from this folder
 */
export function ownProgram(source: string): Program {
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
