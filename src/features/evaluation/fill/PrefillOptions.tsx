import { pageScrollTo } from '@tarojs/taro'
import type { Mode } from '@/contract/form/types'
import { momentText } from '@/contract/timeText'
import type { PrefilledForm } from '@/contract/types'
import { nav } from '@/router/nav'
import { Chip } from '@/ui/Chip/Chip'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import { WaysIn } from '../parts/WaysIn'
import { ReadResult, ScreenshotEntry } from '../screenshots/ScreenshotFill'
import { ListingConsent } from './ListingConsent'
import { ListingPaste, type ParsedListing } from './ListingPaste'
import type { FillFormState } from './useFillForm'

interface Props {
  config: PrefilledForm
  fill: FillFormState
}

/** Result of a prefill: filled fields, and undo. */
function PrefillResult({ config, fill }: Props) {
  const { fresh } = fill.state
  // what screenshots filled in has a card of its own
  if (!fresh || fresh.from === 'SCREENSHOT') return null
  const labels = config.fields.filter(({ key }) => fresh.keys.includes(key)).map(({ label }) => label)
  function onUndo() {
    fill.send({ type: 'unfilled' })
    if (fresh?.from === 'PASTED') fill.setListing(undefined)
  }
  const undo = { text: copy.undo, onClick: onUndo }
  return (
    <Notice
      tone={labels.length > 0 ? 'ok' : 'info'}
      text={copy.filledFrom(copy.origin[fresh.from], labels)}
      action={labels.length > 0 ? undo : undefined}
    />
  )
}

/** Offers the answers of the last report while the form is nearly empty. */
function LastAnswers({ config, fill }: Props) {
  const { last } = config
  const { state, send, progress } = fill
  if (!last || state.fresh || progress.done > 0) return null
  const use = () => send({ type: 'filled', answers: last.answers, from: 'LAST' })
  return <Notice text={copy.last(momentText(last.at, Date.now()))} action={{ text: copy.lastUse, onClick: use }} />
}

/** Ways to fill the form without typing. @param onMore adds pictures to those that were read */
export function PrefillOptions({ config, mode, fill, onMore }: Props & { mode: Mode; onMore: () => void }) {
  const { gameId, aiMode } = config
  function onFound({ askFen, parsed }: ParsedListing) {
    // the price belongs to the listing's account, not to one that was typed before
    fill.setListing(fill.isBlank && askFen !== undefined ? { askFen, agreed: false } : undefined)
    fill.send({ type: 'filled', answers: parsed, from: 'PASTED' })
    void pageScrollTo({ scrollTop: 0, duration: 250 })
  }
  const readInstead = () => {
    fill.draft.flush()
    void nav.redirect('evaluationFillInInfoRpaWebview', { gameId })
  }
  return (
    <>
      {mode === 'AI' ? (
        <WaysIn>
          {config.screenshots ? <ScreenshotEntry shots={fill.shots} /> : null}
          {aiMode === 'MANUAL_FORM' ? null : <Chip onClick={readInstead}>{copy.ways.READ}</Chip>}
          <ListingPaste chip gameId={gameId} onFound={onFound} />
        </WaysIn>
      ) : null}
      <ReadResult config={config} fill={fill} onMore={onMore} />
      <LastAnswers config={config} fill={fill} />
      <PrefillResult config={config} fill={fill} />
      {mode === 'AI' ? <ListingConsent fill={fill} /> : null}
    </>
  )
}
