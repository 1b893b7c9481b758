import type { Field, FormConfig } from './types'

/** How a screen of a game looks in principle; each has a drawn example. */
export type ScreenshotKind = 'PROFILE' | 'COLLECTION' | 'SETTINGS'

export interface Screenshot {
  kind: ScreenshotKind
  /** what it must show */
  title: string
}

/** Screenshots of collections that are asked for, besides profile and settings. */
const MAX_COLLECTIONS = 4

const labels = (fields: readonly Field[]) => fields.map(({ label }) => label).join('、')

/**
 * Screenshots an appraiser needs, from the game's own form: the profile, each main driver of the price, the security
 * settings. No game is named in code.
 */
export function screenshotsFor({ fields }: Pick<FormConfig, 'fields'>): Screenshot[] {
  const mains = fields.filter(({ role }) => role === 'value*').slice(0, MAX_COLLECTIONS)
  const settings = fields.filter(({ role }) => role === 'factor' || role === 'risk').slice(0, 3)
  return [
    { kind: 'PROFILE', title: '个人主页：能看到等级、段位和区服' },
    ...mains.map(({ label }) => ({ kind: 'COLLECTION' as const, title: `${label}：完整的列表页，多屏请分开截` })),
    ...(settings.length > 0 ? [{ kind: 'SETTINGS' as const, title: `账号与安全页：${labels(settings)}` }] : []),
  ]
}
