import type { Selectable } from 'kysely'
import { SERVICE_HOURS } from '@/contract/appraisal'
import type { StaffCard } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { Deps, OpenCtx, UserCtx } from '../../core/context'
import type { DB } from '../../db/tables'
import { averageReply } from '../chat/desk'
import { pictureAddress } from '../content/content'
import { ownOrder } from '../orders/own-order'
import { isWithinWorkingHours } from '../shared/working-hours'
import { seedSandboxLogins } from './accounts'
import { isPresent } from './sessions'

type Staff = Selectable<DB['staff']>

async function toCard(ctx: OpenCtx, s: Staff): Promise<StaffCard> {
  // a missing picture is left out, the card stays
  const seen = (name: string) => pictureAddress(ctx, name) ?? ''
  return {
    staffId: s.staff_id,
    nick: s.nick,
    avatar: seen(s.avatar),
    wecomQr: seen(s.wecom_qr),
    kfUrl: s.kf_url,
    corpId: s.corp_id,
    // the sandbox consultant is fictitious and counts as online during working hours
    online: s.sandbox ? isWithinWorkingHours(ctx.clock.now()) : await isPresent(ctx, s.staff_id),
    serviceHours: SERVICE_HOURS,
    // any member may answer, so the average is over all
    avgReplySec: await averageReply(ctx.db),
  }
}

/** Active consultants; the sandbox's only in the sandbox, and only while there is no other. */
const consultants = ({ db, settings }: OpenCtx) =>
  db
    .selectFrom('staff')
    .selectAll()
    .where('role', '=', 'CONSULTANT')
    .where('active', '=', true)
    .$if(!settings.sandbox, (q) => q.where('sandbox', '=', false))
    .orderBy('sandbox')
    .orderBy('sort')
    .orderBy('staff_id')
    .execute()

/** The consultant for questions about a game: one for this game, else one for all games. @throws AppError NOT_FOUND */
export async function consultStaff(ctx: OpenCtx, gameId?: string): Promise<StaffCard> {
  const all = await consultants(ctx)
  const consultant =
    all.find((s) => gameId !== undefined && s.game_ids.includes(gameId)) ?? all.find((s) => s.game_ids.length === 0)
  if (!consultant) throw new AppError('NOT_FOUND', { msg: '暂时没有在岗的顾问，请稍后再试' })
  return toCard(ctx, consultant)
}

/** The member serving an order. @throws AppError NOT_FOUND, also for another user's order */
export async function staffOfOrder(ctx: UserCtx, orderId: string): Promise<StaffCard> {
  const order = await ownOrder(ctx, orderId)
  return consultStaff(ctx, order.game_id)
}

/** Fictitious appraisers of the sandbox. */
export const SANDBOX_APPRAISER = 'sandbox-appraiser'
export const SANDBOX_SECOND = 'sandbox-second'

/** Inserts fictitious staff, only in the sandbox and named accordingly. */
export async function seedStaff({ db, settings, clock }: Pick<Deps, 'db' | 'settings' | 'clock'>): Promise<void> {
  if (!settings.sandbox) return
  await db
    .insertInto('staff')
    .values([
      { staff_id: 'sandbox-consultant', role: 'CONSULTANT', no: 'S000', nick: '沙箱顾问 小安', sandbox: true },
      { staff_id: SANDBOX_APPRAISER, role: 'APPRAISER', no: 'A000', nick: '沙箱估价师', years: 0, sandbox: true },
      { staff_id: SANDBOX_SECOND, role: 'APPRAISER', no: 'AS00', nick: '沙箱估价师（复核）', years: 0, sandbox: true },
    ])
    // any conflict: with two servers starting at once, the staff number may conflict before the id
    .onConflict((c) => c.doNothing())
    .execute()
  await seedSandboxLogins(db, clock.now())
}
