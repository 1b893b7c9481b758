import type { FastifyInstance } from 'fastify'
import { normaliseMobile } from '@/contract/rules'
import { DAY_MS } from '@/contract/time'
import { AppError, invalid } from '../../core/app-error'
import type { Clock } from '../../core/clock'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { sandboxReport } from '../../domains/staff/sandbox-report'
import type { SandboxSms } from '../../providers/sms/sandbox'

const YEAR = 365 * DAY_MS

/** Stand-ins for external services: unsigned, without login; registered only with SANDBOX=1. */
export async function registerSandbox(
  app: FastifyInstance,
  lifecycle: Lifecycle,
  { sms, clock }: { sms: SandboxSms; clock: Clock },
) {
  registerSandboxClock(app, lifecycle, clock)
  app.get<{ Querystring: { mobile?: string } }>('/sandbox/sms', async ({ query }) => {
    const code = sms.newestCode(normaliseMobile(String(query.mobile ?? '')))
    if (!code) throw new AppError('NOT_FOUND', { msg: '这个号码还没有收到验证码' })
    return { code }
  })

  app.post('/sandbox/desk/report', ({ body }) => sandboxReport(depsOf(lifecycle), body))
}

/** Moves this process's clock; a process with jobs runs them before it answers. */
export function registerSandboxClock(app: FastifyInstance, lifecycle: Lifecycle, clock: Clock) {
  app.post<{ Body: { advanceMs?: unknown } | null }>('/sandbox/clock', async ({ body }) => {
    const ms = body?.advanceMs
    if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 0 || ms > YEAR)
      throw invalid([{ path: 'advanceMs', msg: `应为 0 到 ${YEAR} 的整数毫秒` }])
    clock.advance(ms)
    // run the jobs that became due before answering
    await lifecycle.jobRunner?.runAll()
    return { now: clock.now() }
  })
}
