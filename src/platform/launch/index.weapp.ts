import Taro from '@tarojs/taro'
import { withQrCodeParams } from '@/lib/qrCodeParams'
import type { Launch } from './port'

type Entry = ReturnType<typeof Taro.getLaunchOptionsSync>

function queryOf({ query }: Entry): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [key, value] of Object.entries(query ?? {})) if (typeof value === 'string') out[key] = value
  return withQrCodeParams(out)
}

/** The host repeats the last entry when the user returns without a new link. */
const linkOf = ({ path, query }: Entry) => JSON.stringify([path, query])

export const launch: Launch = {
  query: () => queryOf(Taro.getLaunchOptionsSync()),
  nativePlatform: () => undefined,
  removeParam: () => undefined,
  reloaded: () => false,
  onReopen(listener) {
    let last = linkOf(Taro.getLaunchOptionsSync())
    Taro.onAppShow((entry) => {
      const link = linkOf(entry)
      if (!entry.query || Object.keys(entry.query).length === 0 || link === last) return
      last = link
      listener(queryOf(entry))
    })
  },
}
