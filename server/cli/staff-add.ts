/**
 * `npm run staff:add -- NAME --role admin|appraiser|consultant [--nick 称呼] [--years N]`: creates an account for the
 * desk, with a one-time password. `npm run staff:add -- NAME --reset` sets a new one for an existing account.
 */

import { StartError } from '../core/start-error'
import { addStaff, type DeskRole, type NewStaff, resetPassword } from '../domains/staff/accounts'
import { argumentsOf, flag, text } from './command'
import { runTool } from './tool'

const roles: Record<string, DeskRole> = { admin: 'ADMIN', appraiser: 'APPRAISER', consultant: 'CONSULTANT' }
const USAGE = `用法：npm run staff:add -- 登录名 --role ${Object.keys(roles).join('|')} [--nick 称呼] [--years 年数]，或 登录名 --reset`

type StaffCommand = { reset: string } | { add: NewStaff }

const options = { role: text(''), nick: text(''), years: text('0'), reset: flag }

function read(): StaffCommand {
  const { values, positionals } = argumentsOf(USAGE, options, { min: 1, max: 1 })
  const [name = ''] = positionals
  if (values.reset) return { reset: name }
  const role = roles[values.role]
  if (!role) throw new StartError(`请用 --role 给出角色：${Object.keys(roles).join('、')}。`)
  return { add: { name, role, ...(values.nick && { nick: values.nick }), years: Number(values.years) } }
}

runTool(async (db, command) => {
  const { password } = await db
    .transaction()
    .execute((tx) => ('reset' in command ? resetPassword(tx, command.reset) : addStaff(tx, command.add, Date.now())))
  console.error('✓ 一次性密码（首次登录 /desk 后必须修改，不会再次显示）：')
  console.log(password)
}, read)
