import type { UserInfo } from '@/contract/types'
import { nearestTextSize } from '@/lib/textSize'
import { type AppState, type ClientPlatform, emptySession, type Session, type State, type TextSize } from './state'

/** All events that change session or app state. */
export type SessionEvent =
  | { type: 'loggedIn'; token: string; userId: string; newUser: boolean }
  | { type: 'userInfoLoaded'; userInfo: UserInfo }
  | { type: 'iosPayParamsReceived'; params: Record<string, string> }
  | { type: 'loggedOut' }
  | { type: 'appReset' }
  | { type: 'launched'; channelCode?: string; bd_vid?: string; platform?: ClientPlatform }
  | { type: 'firstLaunchDone' }
  | { type: 'unlockRecordKept'; recordId: string }
  | { type: 'navigated'; from: string }
  | { type: 'popupShown'; key: string; at: number }
  | { type: 'moduleShown'; day: string }
  | { type: 'reportTipSeen'; key: string }
  | { type: 'defaultImagesLoaded'; ios?: string; share?: string }
  | { type: 'displayChosen'; textSize?: TextSize; reduceMotion?: boolean }

/** Whether a text can be the id of an unlock record. */
export const isRecordId = (v: unknown): v is string => typeof v === 'string' && /^[\w-]{1,64}$/.test(v)

/** An answer to a call made before another user logged in is not this user's. */
const isOf = ({ token, userId }: Session, info: UserInfo) =>
  token !== undefined && (userId === undefined || userId === info.userId)

function reduceSession(session: Session, e: SessionEvent): Session {
  switch (e.type) {
    case 'loggedIn':
      // discard everything of an earlier user
      return { token: e.token, userId: e.userId, newUser: e.newUser }
    case 'userInfoLoaded':
      return isOf(session, e.userInfo) ? { ...session, userInfo: e.userInfo } : session
    case 'iosPayParamsReceived':
      return session.token ? { ...session, iosUserPayParams: e.params } : session
    case 'loggedOut':
      return emptySession
    default:
      return session
  }
}

function reduceApp(app: AppState, e: SessionEvent): AppState {
  switch (e.type) {
    case 'loggedOut':
      return { ...app, moduleShownDay: undefined }
    case 'appReset':
      return { ...app, popupState: {}, lastFromPath: undefined, reportTipKeys: [] }
    case 'launched':
      return {
        ...app,
        channelCode: e.channelCode ?? app.channelCode,
        bd_vid: e.bd_vid ?? app.bd_vid,
        platform: e.platform ?? app.platform,
      }
    case 'firstLaunchDone':
      return { ...app, isFirstTimeLaunch: false }
    case 'unlockRecordKept':
      // the record comes from a link and is sent with every call
      return isRecordId(e.recordId) ? { ...app, reportUnlockRecordId: e.recordId } : app
    case 'navigated':
      return { ...app, lastFromPath: e.from }
    case 'popupShown':
      return { ...app, popupState: { ...app.popupState, [e.key]: e.at } }
    case 'moduleShown':
      return { ...app, moduleShownDay: e.day }
    case 'reportTipSeen':
      return app.reportTipKeys.includes(e.key) ? app : { ...app, reportTipKeys: [...app.reportTipKeys, e.key] }
    case 'defaultImagesLoaded':
      return {
        ...app,
        iosDefaultImage: e.ios ?? app.iosDefaultImage,
        shareDefaultImage: e.share ?? app.shareDefaultImage,
      }
    case 'displayChosen':
      return { ...app, textSize: e.textSize ?? app.textSize, reduceMotion: e.reduceMotion ?? app.reduceMotion }
    default:
      return app
  }
}

/** The text size and motion of the account apply when it is first loaded after a login, if it has chosen any. */
function withAccountDisplay(app: AppState, { fontScale, reduceMotion }: UserInfo['settings']): AppState {
  return fontScale === 1 && !reduceMotion ? app : { ...app, textSize: nearestTextSize(fontScale), reduceMotion }
}

/** Pure: the next state. Spec §4: `loggedOut` and `appReset` clear exactly what is listed there. */
export function reduce(state: State, e: SessionEvent): State {
  const session = reduceSession(state.session, e)
  const first = e.type === 'userInfoLoaded' && session !== state.session && state.session.userInfo === undefined
  const app = first ? withAccountDisplay(state.app, e.userInfo.settings) : reduceApp(state.app, e)
  return session === state.session && app === state.app ? state : { session, app }
}
