import { pricedProgress } from '@/contract/form/validate'
import type { Req, Res } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { OpenCtx } from '../../core/context'
import { priceRange } from '../../engine/valuate'
import { requirePossibleAnswers } from '../games/answers'
import { configForMode } from '../games/repository'
import { networkHashesOf } from '../shared/network'
import { requireWithinDailyLimit } from './daily-limit'

/** Rounds to two significant figures: 1_234_567 → 1_200_000. */
export function roundToTwoFigures(fen: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, fen))) - 1)
  return Math.round(fen / unit) * unit
}

/**
 * The price range of a form that is still being filled. Pictures and other answers without effect on the price are
 * checked, not used; no order, report or answer is stored.
 * @throws AppError NOT_FOUND, GAME_OFFLINE, FORM_CHANGED, VALIDATION_FAILED, FREE_QUOTA_USED, SAMPLE_INSUFFICIENT,
 * MODEL_PENDING, REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function previewPrice(
  ctx: OpenCtx,
  req: Req<'pricePreview', 'preview'>,
): Promise<Res<'pricePreview', 'preview'>> {
  const now = ctx.clock.now()
  const userId = await ctx.viewer()
  const [who, perMinute, perDay] =
    userId === undefined
      ? ([networkHashesOf(ctx)[0], 'openPreview', 'openPreviewDay'] as const)
      : ([userId, 'preview', 'previewDay'] as const)
  await ctx.limits.enforce(perMinute, who)
  // clients stop asking after this code, while they would repeat a call that is too busy
  if (!(await ctx.limits.take(perDay, who)))
    throw new AppError('FREE_QUOTA_USED', { msg: '今日查看实时区间的次数已达上限，提交后可查看报告' })
  const config = configForMode(await ctx.repositories.games.find(req.gameId), 'AI')
  const answers = requirePossibleAnswers(config, req)
  if (userId !== undefined) await requireWithinDailyLimit(ctx.db, { userId, settings: ctx.settings }, now, false)
  const active = await ctx.repositories.models.active(config)
  const range = active && priceRange(active.model, config, answers, { now, source: 'TYPED' })
  if (!range) throw new AppError('SAMPLE_INSUFFICIENT')
  const { total, unanswered } = pricedProgress(config, answers)
  return {
    lowFen: roundToTwoFigures(range.lowFen),
    highFen: roundToTwoFigures(range.highFen),
    answered: total - unanswered,
    asked: total,
  }
}
