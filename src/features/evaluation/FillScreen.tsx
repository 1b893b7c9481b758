import { type ReactNode, useState } from 'react'
import { useCall } from '@/api/useCall'
import type { Mode } from '@/contract/form/types'
import { isRealNameSubmitted } from '@/contract/labels'
import { currentUrl, nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { useDidReturn } from '@/router/useDidReturn'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { FillForm } from './fill/FillForm'
import { useManualService } from './useManualService'

const choose = { text: copy.goChoose, onClick: () => void nav.redirect('evaluationChooseGame') }

/** The manual service is closed; shown before the user fills in the form. */
function ManualClosed({ gameId }: { gameId: string }) {
  const manual = useManualService()
  if (manual.available || !manual.load.data) return null
  const action = {
    text: copy.useAi,
    onClick: () => void nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' }),
  }
  return <Notice text={copy.manualClosed} action={action} />
}

/** A manual valuation needs real-name verification; shown before the user fills in the form. */
function RealNameNotice() {
  const { data, reload } = useCall('user', 'get', {})
  useDidReturn(() => void reload())
  const status = data?.realName.status
  if (status === undefined || isRealNameSubmitted(status)) return null
  const go = () => void nav.to('mineRealName', { redirect: currentUrl() })
  return <Notice icon='shield' text={copy.realNameAhead} action={{ text: copy.realNameYes, onClick: go }} />
}

function LoadedForm({ gameId, mode }: { gameId: string; mode: Mode }): ReactNode {
  const load = useCall('evaluation', 'gameConfig', { gameId, mode })
  const [begun, setBegun] = useState(0)
  const { data, error } = load
  if (!data && error?.status === 404) return <Empty art='search' text={copy.unknownGame} action={choose} />
  if (!data && error?.kind === 'business') return <Empty text={error.msg} action={choose} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={6} />}>
      {(config) => (
        <>
          {mode === 'MANUAL' ? <ManualClosed gameId={gameId} /> : null}
          {mode === 'MANUAL' ? <RealNameNotice /> : null}
          <FillForm
            // remount from the draft when the form has a newer version or was changed in another tab
            key={`${config.gameId}:${mode}:${config.schemaVersion}:${begun}`}
            config={config}
            mode={mode}
            onFormChanged={() => void load.reload()}
            onReload={() => setBegun(begun + 1)}
          />
        </>
      )}
    </LoadBoundary>
  )
}

/** Form for the account's data, rendered from the game's configuration. */
export function FillScreen({ params }: ScreenProps<'evaluationFillInInfo'>) {
  const { gameId } = params
  if (!gameId) return <Empty art='search' text={copy.noGame} action={choose} />
  return <LoadedForm gameId={gameId} mode={params.mode === 'MANUAL' ? 'MANUAL' : 'AI'} />
}
