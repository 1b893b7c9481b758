import type { Field, FormConfig } from './types'

/** How a screen of a game looks in principle; each has a drawn example. */
export type ScreenshotKind = 'PROFILE' | 'COLLECTION' | 'SETTINGS'

export interface Screenshot {
  kind: ScreenshotKind
  /** what it must show */
  title: string
  /** keys of the fields of which it shows at least one */
  shows: readonly string[]
}

/** Screenshots of collections that are asked for, besides profile and settings. */
const MAX_COLLECTIONS = 4

const keysOf = (fields: readonly Field[]) => fields.map(({ key }) => key)
const labels = (fields: readonly Field[]) => fields.map(({ label }) => label).join('、')

/**
 * Screenshots an appraiser needs, from the game's own form: the profile, each main driver of the price, the security
 * settings. No game is named in code.
 */
export function screenshotsFor({ fields }: Pick<FormConfig, 'fields'>): Screenshot[] {
  const mains = fields.filter(({ role }) => role === 'value*').slice(0, MAX_COLLECTIONS)
  const settings = fields.filter(({ role }) => role === 'factor' || role === 'risk').slice(0, 3)
  const others = fields.filter((field) => !mains.includes(field) && !settings.includes(field))
  return [
    { kind: 'PROFILE', title: '个人主页：能看到等级、段位和区服', shows: keysOf(others) },
    ...mains.map(({ key, label }) => ({
      kind: 'COLLECTION' as const,
      title: `${label}：完整的列表页，多屏请分开截`,
      shows: [key],
    })),
    ...(settings.length > 0
      ? [{ kind: 'SETTINGS' as const, title: `账号与安全页：${labels(settings)}`, shows: keysOf(settings) }]
      : []),
  ]
}

/** A title in a few words. */
export const shortTitle = ({ title }: Screenshot): string => title.split('：')[0] ?? title

/** The wanted screenshots of which nothing was read. @param read keys of fields */
export const missingScreenshots = (config: Pick<FormConfig, 'fields'>, read: readonly string[]): Screenshot[] =>
  screenshotsFor(config).filter(({ shows }) => !shows.some((key) => read.includes(key)))
