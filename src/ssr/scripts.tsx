import { ownerHash } from '@/contract/ssr'
import { copy, type DraftSummary } from '@/features/home/copy'
import { PREFIX } from '@/platform/storage/port'
import { PROMPT_KEY } from '@/router/Consent'
import { buildUrl } from '@/router/params'
import { DRAFTS_KEY, draftKeyPrefix } from '@/session/draftKeys'
import { APP_KEY, SESSION_KEY } from '@/session/persist'

/**
 * Inline scripts that fill in what only the device knows. They run while the HTML is parsed, so the page is not painted
 * without it first. Each is the source text of a function and cannot use anything outside it. One that throws changes
 * nothing.
 */

/** The newest draft of the user of this device, found like `drafts.latest` does. */
function fillDraft(
  [prefix, session, index, form]: readonly string[],
  keysOf: typeof draftKeyPrefix,
  noteOf: typeof copy.draftNote,
) {
  try {
    const place = (document.currentScript as Element).parentNode as HTMLElement
    const read = (key: string | undefined) => JSON.parse(localStorage.getItem(`${prefix}${key}`) as string)
    const own: string = keysOf((read(session) || { data: {} }).data.userId)
    const found: (DraftSummary & { savedAt: number })[] = read(index)
      .filter((key: string) => key.startsWith(own))
      .map(read)
    const draft = found.sort((a, b) => b.savedAt - a.savedAt)[0] as DraftSummary
    const link = place.firstChild as HTMLAnchorElement
    ;(link.querySelector('.home-go__note') as Element).textContent = noteOf(draft)
    link.href = `${form}?gameId=${encodeURIComponent(draft.gameId)}&mode=${draft.mode}`
    place.hidden = false
  } catch {}
}

/** Shows the question of the first launch to who has neither logged in nor answered it, like `FirstLaunch` does. */
function showConsent(session: string, app: string, prompt: string) {
  try {
    const place = (document.currentScript as Element).parentNode as HTMLElement
    const read = (key: string) => JSON.parse(localStorage.getItem(key) ?? '{}').data ?? {}
    const { isFirstTimeLaunch, popupState } = read(app)
    place.hidden = !!read(session).token || isFirstTimeLaunch === false || popupState?.[prompt] !== undefined
  } catch {}
}

/** Hides the guest view from the report's owner, for whom the app shows more. */
function hideFromOwner(session: string, mark: typeof ownerHash) {
  try {
    const first = (document.currentScript as Element).parentNode as HTMLElement
    const { token, userId } = JSON.parse(localStorage.getItem(session) as string).data
    first.hidden = !!token && first.dataset.owner === String(mark(first.dataset.no as string, userId))
  } catch {}
}

const places = [PREFIX, SESSION_KEY, DRAFTS_KEY, buildUrl('evaluationFillInInfo')]
export const draftScript = `(${fillDraft})(${JSON.stringify(places)},${draftKeyPrefix},${copy.draftNote})`
export const consentScript = `(${showConsent})('${PREFIX}${SESSION_KEY}','${PREFIX}${APP_KEY}','${PROMPT_KEY}')`
export const ownerScript = `(${hideFromOwner})('${PREFIX}${SESSION_KEY}',${ownerHash})`

// biome-ignore lint/security/noDangerouslySetInnerHtml: the text of one of the functions above
export const Script = ({ code }: { code: string }) => <script dangerouslySetInnerHTML={{ __html: code }} />
