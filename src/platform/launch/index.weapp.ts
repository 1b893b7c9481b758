import type { Launch } from './port'

export const launch: Launch = {
  query() {
    const out: Record<string, string> = {}
    for (const [key, value] of Object.entries(wx.getLaunchOptionsSync().query)) {
      if (typeof value === 'string') out[key] = value
    }
    return out
  },
  forget: () => undefined,
}
