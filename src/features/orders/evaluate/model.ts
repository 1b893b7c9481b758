import type { Req, ValuationEvaluation } from '@/contract/types'
import { copy } from './copy'

export const TAGS_MAX = 5
export const PICTURES_MAX = 3
/** fen; more is a slip of the finger */
const SOLD_MAX = 100_000_000

/** What is typed so far. */
export interface Draft {
  /** 0 = none yet */
  score: number
  accuracy: ValuationEvaluation['accuracy'] | undefined
  speed: number
  service: number
  tags: readonly string[]
  content: string
  images: string[]
  anonymous: boolean
  /** yuan as typed */
  sold: string
  platform: string
}

export const emptyDraft: Draft = {
  score: 0,
  accuracy: undefined,
  speed: 0,
  service: 0,
  tags: [],
  content: '',
  images: [],
  anonymous: false,
  sold: '',
  platform: '',
}

/** Typed yuan to fen by its digits, so that no fraction is lost; undefined when it is no amount above zero. */
export function fenOf(yuan: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,7})(?:\.(\d{0,2}))?$/.exec(yuan.trim()) ?? []
  if (whole === undefined) return undefined
  const fen = Number(`${whole}${part.padEnd(2, '0')}`)
  return fen > 0 && fen <= SOLD_MAX ? fen : undefined
}

/** Digits and one point: what may stand in the box. */
export const cleanYuan = (raw: string) =>
  /^\d{0,7}(?:\.\d{0,2})?/.exec(raw.normalize('NFKC').replace(/[^\d.]/g, ''))?.[0] ?? ''

export type Issues = Partial<Record<'score' | 'accuracy' | 'sold', string>>

/** What is missing or wrong, at its field; empty when it may be sent. */
export function issuesOf({ score, accuracy, sold }: Draft): Issues {
  return {
    ...(score === 0 && { score: copy.needScore }),
    ...(!accuracy && { accuracy: copy.needAccuracy }),
    ...(sold !== '' && fenOf(sold) === undefined && { sold: copy.soldWrong }),
  }
}

/** In or out; a sixth tag changes nothing. */
export function toggleTag(tags: readonly string[], tag: string): readonly string[] {
  if (tags.includes(tag)) return tags.filter((one) => one !== tag)
  return tags.length < TAGS_MAX ? [...tags, tag] : tags
}

/** What is sent; the server keeps only what was said. */
export function toRequest(orderId: string, d: Draft): Req<'evaluation', 'saveEvaluation'> {
  const soldFen = fenOf(d.sold)
  return {
    orderId,
    score: d.score,
    accuracy: d.accuracy ?? 'FAIR',
    ...(d.speed > 0 && { speed: d.speed }),
    ...(d.service > 0 && { service: d.service }),
    ...(d.tags.length > 0 && { tags: [...d.tags] }),
    ...(d.content.trim() !== '' && { content: d.content.trim() }),
    ...(d.images.length > 0 && { images: d.images }),
    ...(d.anonymous && { anonymous: true }),
    ...(soldFen !== undefined && { soldFen }),
    ...(soldFen !== undefined && d.platform.trim() !== '' && { soldPlatform: d.platform.trim() }),
  }
}
