import { DAY_MS } from '@/contract/time'
import type { ReportCard } from '@/contract/types'

/** A featured report in a list. */
export const sampleCard: ReportCard = {
  reportNo: 'GZ20250607-8F3K2M',
  gameId: 'hok',
  gameName: '王者荣耀',
  title: '王者荣耀 · 安卓微信 · V8',
  nickMasked: '峡**客',
  predictFen: 232_269,
  lowFen: 193_000,
  highFen: 279_000,
  reason: '可信度 94 分 · 可比样本 42 个 · 2 项按常见水平计',
  createdAt: Date.now() - DAY_MS,
  synthetic: true,
}
