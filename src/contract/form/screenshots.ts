import type { Answers, Field, FormConfig } from './types'

interface Screenshot {
  /** what it must show */
  title: string
  /** keys of the fields that are seen on it */
  fields: readonly string[]
}

/** Screenshots of collections that are asked for, besides profile and settings. */
const MAX_COLLECTIONS = 4

const keysOf = (fields: readonly Field[]) => fields.map(({ key }) => key)

/**
 * Screenshots an appraiser needs, from the game's own form: the profile, each main driver of the price, the security
 * settings. No game is named in code.
 */
export function screenshotsFor({ fields }: Pick<FormConfig, 'fields'>): Screenshot[] {
  const mains = fields.filter(({ role }) => role === 'value*').slice(0, MAX_COLLECTIONS)
  const settings = fields.filter(({ role }) => role === 'factor' || role === 'risk').slice(0, 3)
  return [
    {
      title: '个人主页：能看到等级、段位和区服',
      fields: keysOf(fields.filter(({ role }) => role === 'value' || role === 'value-')),
    },
    ...mains.map(({ key, label }) => ({ title: `${label}：完整的列表页，多屏请分开截`, fields: [key] })),
    ...(settings.length > 0
      ? [{ title: `账号与安全页：${settings.map(({ label }) => label).join('、')}`, fields: keysOf(settings) }]
      : []),
  ]
}

/** Those of which nothing was read. */
export const screenshotsMissing = (config: Pick<FormConfig, 'fields'>, read: Answers): Screenshot[] =>
  screenshotsFor(config).filter(({ fields }) => fields.every((key) => read[key] === undefined))

/** What a screenshot shows, in a word. */
export const screenshotName = ({ title }: Screenshot): string => title.split('：')[0] ?? title
