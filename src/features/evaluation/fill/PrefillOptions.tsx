import { pageScrollTo } from '@tarojs/taro'
import { useState } from 'react'
import type { Mode } from '@/contract/form/types'
import { momentText } from '@/contract/timeText'
import type { PrefilledForm } from '@/contract/types'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import { WaysIn } from '../parts/WaysIn'
import { ReadResult, ScreenshotEntry } from '../screenshots/ScreenshotFill'
import { ListingConsent } from './ListingConsent'
import { ListingPaste } from './ListingPaste'
import type { FillFormState } from './useFillForm'

interface Props {
  config: PrefilledForm
  fill: FillFormState
}

const labelOf = (config: PrefilledForm, key: string) => config.fields.find((f) => f.key === key)?.label ?? key

/** Result of a prefill: filled fields, missing fields, and undo. */
function PrefillResult({ config, fill, missing }: Props & { missing: readonly string[] }) {
  const { fresh, answers } = fill.state
  // what screenshots filled in has a card of its own
  if (!fresh || fresh.from === 'SCREENSHOT') return null
  const labels = fresh.keys.map((key) => labelOf(config, key))
  const unanswered = missing.filter((key) => answers[key] === undefined).map((key) => labelOf(config, key))
  function onUndo() {
    fill.send({ type: 'unfilled' })
    if (fresh?.from === 'PASTED') fill.setListing(undefined)
  }
  const undo = { text: copy.undo, onClick: onUndo }
  return (
    <Notice
      tone={labels.length > 0 ? 'ok' : 'info'}
      text={copy.filledFrom(copy.origin[fresh.from], labels) + copy.stillMissing(unanswered)}
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
  const [missing, setMissing] = useState<readonly string[]>([])
  const { gameId, aiMode } = config
  const paste = (
    <ListingPaste
      chip
      gameId={gameId}
      onFound={(found) => {
        setMissing(found.missing)
        // the price belongs to the listing's account, not to one that was typed before
        const askFen = fill.isBlank ? found.askFen : undefined
        fill.setListing(askFen === undefined ? undefined : { askFen, agreed: false })
        fill.send({ type: 'filled', answers: found.parsed, from: 'PASTED' })
        void pageScrollTo({ scrollTop: 0, duration: 250 })
      }}
    />
  )
  return (
    <>
      {mode === 'AI' ? (
        <WaysIn
          gameId={gameId}
          aiMode={aiMode}
          way='FILL'
          onLeave={fill.draft.flush}
          first={config.screenshots ? <ScreenshotEntry shots={fill.shots} /> : undefined}
        >
          {paste}
        </WaysIn>
      ) : null}
      <ReadResult config={config} fill={fill} onMore={onMore} />
      <LastAnswers config={config} fill={fill} />
      <PrefillResult config={config} fill={fill} missing={missing} />
      {mode === 'AI' ? <ListingConsent fill={fill} /> : null}
    </>
  )
}
