import type { UserInfo } from '@/contract/types'

/** Spec §3, persisted. Logged in when a token exists. */
export interface Session {
  token?: string
  userId?: string
  newUser: boolean
  userInfo?: UserInfo
  iosUserPayParams?: Record<string, string>
}

export const textSizes = ['normal', 'large', 'huge', 'double'] as const
export type TextSize = (typeof textSizes)[number]

/** Where the app runs. The native apps are a WebView of h5 and open it with `?platform=ios` or `android`. */
export const clientPlatforms = ['h5', 'ios', 'android', 'weapp'] as const
export type ClientPlatform = (typeof clientPlatforms)[number]

/** Spec §3, persisted. */
export interface AppState {
  isFirstTimeLaunch: boolean
  channelCode?: string
  bd_vid?: string
  reportUnlockRecordId?: string
  /** Popup key → when it was last shown, ms. */
  popupState: Record<string, number>
  /** determined at each launch; a native app's holds until its tab is closed */
  platform: ClientPlatform
  /** full path of the page that was left last */
  lastFromPath?: string
  /** Hints on reports that the user has already seen. */
  reportTipKeys: string[]
  iosDefaultImage?: string
  shareDefaultImage?: string
  /** Day (YYYY-MM-DD) a module that shows once a day was last shown; spec §4 clears it on logout. */
  moduleShownDay?: string
  /** Text size setting, because zooming is blocked (spec §5). */
  textSize: TextSize
  /** Setting 减少动画; without it the system's setting applies. */
  reduceMotion: boolean
}

export interface State {
  session: Session
  app: AppState
}

export const emptySession: Session = { newUser: false }

export const initialApp = (platform: ClientPlatform): AppState => ({
  isFirstTimeLaunch: true,
  popupState: {},
  platform,
  reportTipKeys: [],
  textSize: 'normal',
  reduceMotion: false,
})
