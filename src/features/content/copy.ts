import { documentKeyText } from '@/contract/labels'

type DocumentKey = keyof typeof documentKeyText

export const copy = {
  meta: (version: string, day: string) => `版本 ${version} · 更新于 ${day}`,
  missing: '没有找到这份文档',
  home: '返回首页',
  related: '相关文档',
} as const

/** What a reader of one document may want next. */
export const related: Record<DocumentKey, readonly DocumentKey[]> = {
  USER_AGREEMENT: ['PRIVACY', 'VALUATION_NOTICE', 'MINOR'],
  PRIVACY: ['COLLECTED', 'USER_AGREEMENT', 'MINOR'],
  COLLECTED: ['PRIVACY', 'USER_AGREEMENT'],
  VALUATION_NOTICE: ['METHOD', 'ACCURACY', 'REFUND'],
  REFUND: ['USER_AGREEMENT', 'VALUATION_NOTICE'],
  HELP_RULE: ['USER_AGREEMENT', 'REFUND'],
  MINOR: ['USER_AGREEMENT', 'PRIVACY'],
  ABOUT: ['METHOD', 'ACCURACY', 'USER_AGREEMENT'],
  METHOD: ['ACCURACY', 'VALUATION_NOTICE'],
  ACCURACY: ['METHOD', 'VALUATION_NOTICE'],
}

export const isKey = (key: string | undefined): key is DocumentKey => key !== undefined && key in documentKeyText
export type { DocumentKey }
