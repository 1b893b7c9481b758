import type { FastifyInstance } from 'fastify'
import { keysOf, taskFailText, taskStatusText } from '@/contract/labels'
import type { TaskFail } from '@/contract/types'
import { AppError, invalid, textField } from '../../core/app-error'
import type { Deps } from '../../core/context'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { onCollected } from '../../domains/valuations/collected/finish-task'
import { SANDBOX_PAGE, type SandboxAccount, sandboxAccount, sandboxAccounts } from '../../providers/collector/sandbox'
import { html } from '../html'
import { acceptForms, page } from './sandbox-pay'

/** Aliases of common failures; each failure can also be given by its own code. */
const fails: Record<string, TaskFail> = {
  REFUSED: 'USER_REFUSED',
  HIDDEN: 'PRIVACY_HIDDEN',
  MAINTAIN: 'SERVER_MAINTAIN',
  TIMEOUT: 'READ_TIMEOUT',
  ...Object.fromEntries(keysOf(taskFailText).map((code) => [code, code])),
}
const accountText: Record<SandboxAccount, string> = { rich: '顶级账号', normal: '普通账号', new: '新账号' }

interface Choice {
  taskId?: unknown
  result?: unknown
  account?: unknown
}

const isAccount = (value: unknown): value is SandboxAccount => sandboxAccounts.some((account) => account === value)

/** The task with its game. @throws AppError NOT_FOUND */
async function taskOf({ db, repositories }: Deps, taskId: string) {
  const task = db.selectFrom('collection_tasks').select(['id', 'game_id', 'status']).where('id', '=', taskId)
  const found = await task.executeTakeFirstOrThrow(() => new AppError('NOT_FOUND', { msg: '没有找到这次授权' }))
  return { ...found, config: (await repositories.games.find(found.game_id)).config }
}

/** Simulates the outcome of an authorised collection. @returns whether the task accepted it */
async function choose(deps: Deps, { taskId, account = 'normal', result = 'SUCCESS' }: Choice): Promise<boolean> {
  const id = textField('taskId', taskId)
  const { config } = await taskOf(deps, id)
  const code = typeof result === 'string' ? fails[result] : undefined
  if (code) return onCollected(deps, id, { kind: 'FAILED', code })
  if (result === 'SCANNED') return onCollected(deps, id, { kind: 'SCANNED' })
  if (result === 'COLLECTING') return onCollected(deps, id, { kind: 'COLLECTING', progress: 50 })
  if (result !== 'SUCCESS') throw invalid([{ path: 'result', msg: '没有这种结果' }])
  if (!isAccount(account)) throw invalid([{ path: 'account', msg: `应为 ${sandboxAccounts.join(' / ')} 之一` }])
  const answers = sandboxAccount(config, account)
  return onCollected(deps, id, { kind: 'SUCCESS', answers, raw: { sandbox: true, account, data: answers } })
}

const button = (text: string, value: string, name = 'result') =>
  html`<button name="${name}" value="${value}">${text}</button>`

/** What the game's page would offer. */
const choices = [
  button('模拟：已扫码', 'SCANNED'),
  button('模拟：读取到一半', 'COLLECTING'),
  ...sandboxAccounts.map((account) => button(`同意授权：${accountText[account]}`, account, 'account')),
  ...keysOf(taskFailText).map((code) => button(`失败：${taskFailText[code]}`, code)),
]

/** `POST /sandbox/collector`, and the page at the task's `webviewUrl` with the same choices. */
export async function registerSandboxCollector(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  acceptForms(app)
  app.get<{ Querystring: { taskId?: string } }>(SANDBOX_PAGE, async ({ query }, reply) => {
    const { id, status, config } = await taskOf(depsOf(lifecycle), String(query.taskId))
    const body = html`<p>这里代替游戏方的授权页：${config.name}。没有真实账号，也不需要任何密码。</p>
<p>当前：${taskStatusText[status]}</p><form method="post"><input type="hidden" name="taskId" value="${id}">${choices}</form>`
    return reply.type('text/html; charset=utf-8').send(page('沙箱 · 授权读取', body))
  })
  app.post<{ Body: Choice | null; Querystring: { taskId?: string } }>(
    SANDBOX_PAGE,
    async ({ body, headers }, reply) => {
      const choice = body ?? {}
      const accepted = await choose(depsOf(lifecycle), choice)
      const fromPage = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
      if (fromPage) return reply.redirect(`${SANDBOX_PAGE}?taskId=${encodeURIComponent(String(choice.taskId))}`, 303)
      return { accepted }
    },
  )
}
