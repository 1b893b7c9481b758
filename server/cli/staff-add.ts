/**
 * `npm run staff:add -- NAME --role admin|appraiser|consultant [--nick 称呼] [--years N]`: creates an account for the
 * desk, with a one-time password. `npm run staff:add -- NAME --reset` sets a new one for an existing account.
 */
import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import { AppError } from '../app-error'
import type { Tables } from '../db/tables'
import { addStaff, type DeskRole, type NewStaff, resetPassword } from '../domains/staff/accounts'
import { StartError } from '../start-error'
import { runTool } from './tool'

const roles: Record<string, DeskRole> = { admin: 'ADMIN', appraiser: 'APPRAISER', consultant: 'CONSULTANT' }
const USAGE = `用法：npm run staff:add -- 登录名 --role ${Object.keys(roles).join('|')} [--nick 称呼] [--years 年数]，或 登录名 --reset`

type StaffCommand = { reset: string } | { add: NewStaff }

const options = {
  role: { type: 'string' },
  nick: { type: 'string' },
  years: { type: 'string' },
  reset: { type: 'boolean' },
} as const

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch {
    throw new StartError(`${USAGE}。`)
  }
}

function read(): StaffCommand {
  const { values, positionals } = readArguments()
  const [name, ...rest] = positionals
  if (!name || rest.length > 0) throw new StartError(`${USAGE}。`)
  if (values.reset) return { reset: name }
  const role = roles[values.role ?? '']
  if (!role) throw new StartError(`请用 --role 给出角色：${Object.keys(roles).join('、')}。`)
  return { add: { name, role, ...(values.nick && { nick: values.nick }), years: Number(values.years ?? 0) } }
}

async function run(db: Kysely<Tables>, command: StaffCommand): Promise<void> {
  try {
    const { password } = await db
      .transaction()
      .execute((tx) => ('reset' in command ? resetPassword(tx, command.reset) : addStaff(tx, command.add, Date.now())))
    console.error('✓ 一次性密码（首次登录 /desk 后必须修改，不会再次显示）：')
    console.log(password)
  } catch (e) {
    throw e instanceof AppError ? new StartError(`${e.detail}。`) : e
  }
}

runTool(run, read)
