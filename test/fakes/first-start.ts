/** The data folder of a server that was started before, made once per machine and state of the server's code. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = process.cwd()

/** Of all code and data a first start runs through, and of the day: sales are dated from it. */
function stateOfCode(): string {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10))
  for (const folder of ['server/db', 'server/engine', 'server/fixtures', 'server/jobs', 'server/rooms/evaluation'])
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/(?<!\.test)\.(ts|json)$/.test(name)) hash.update(readFileSync(path.join(root, folder, name)))
  return hash.digest('hex').slice(0, 16)
}

function make(home: string) {
  const fresh = mkdtempSync(`${home}-`)
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'server/test/first-start.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: 'server/tsconfig.json', DATA_DIR: fresh, DATABASE_URL: '' },
  })
  if (status !== 0) throw new Error(`no first start: ${stderr}`)
  try {
    renameSync(fresh, home)
  } catch {
    // another one was first
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Makes the first start where there was none: jest runs this before the first test, since a busy machine takes its time. */
export default function trainedHome(): string {
  // found once for all files of a run: midnight must not make the next file start from nothing
  process.env.FIRST_START ??= path.join(tmpdir(), `valuation-trained-${stateOfCode()}`)
  const home = process.env.FIRST_START
  if (!existsSync(home)) make(home)
  return home
}

/** A folder of the caller's own with all games trained: starting from nothing takes a minute of both cores. */
export function trainedFolder(): string {
  const home = trainedHome()
  const own = mkdtempSync(path.join(tmpdir(), 'valuation-'))
  cpSync(home, own, { recursive: true })
  return own
}
