import { chmodSync } from 'node:fs'
import path from 'node:path'

/** Path of WeChat's compiler of templates (`wcc`) or styles (`wcsc`). @throws Error if it cannot run on this machine */
export function officialCompiler(name: 'wcc' | 'wcsc'): string {
  const system = { darwin: 'mac', linux: 'linux', win32: 'windows' }[String(process.platform)]
  if (!system || (system === 'linux' && process.arch !== 'x64')) {
    throw new Error(`WeChat's compilers do not run on ${process.platform} ${process.arch}`)
  }
  const file = path.join(path.dirname(require.resolve('miniprogram-compiler/package.json')), 'bin', system, name)
  // the package ships the file without its executable bit
  if (system !== 'windows') chmodSync(file, 0o755)
  return file
}
