import { getCurrentPages, navigateTo, switchTab as replaceByTab } from '@tarojs/taro'
import { HOME_PAGE } from '@/contract/pages'
import { stepBack } from '@/platform/backHandler/history'
import type { SwitchTab } from './port'

const HOME = `/${HOME_PAGE}`

/**
 * Taro replaces the current history entry by the tab, so that going back from a tab leaves the site. Here home stays
 * below the other tabs, each of which has one entry, marked `aboveHome`; what was opened above a tab is dropped.
 */
export const switchTab: SwitchTab = async (url) => {
  const opened = getCurrentPages().length - 1
  if (opened > 0) await stepBack(opened)
  const aboveHome = history.state?.aboveHome === true
  if (url === HOME && aboveHome) return history.back()
  const push = url !== HOME && location.pathname === HOME
  await (push ? navigateTo : replaceByTab)({ url })
  if (url !== HOME && (push || aboveHome)) history.replaceState({ ...history.state, aboveHome: true }, '')
}
