import type { ReactNode } from 'react'
import { useCall } from '@/api/useCall'
import { usePayStatus } from '@/api/usePayStatus'
import type { Mode } from '@/contract/form/types'
import { isRealNameSubmitted } from '@/contract/labels'
import { currentUrl, nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { useDidReturn } from '@/router/useDidReturn'
import { appState } from '@/session/store'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { FillForm } from './fill/FillForm'
import { ManualForm } from './fill/ManualForm'

const choose = { text: copy.goChoose, onClick: () => void nav.redirect('evaluationChooseGame') }

/** The manual service is closed; shown before the user fills in the form. */
function ManualClosed({ gameId }: { gameId: string }) {
  const { manual, status } = usePayStatus(appState().platform)
  if (manual || !status) return null
  const action = {
    text: copy.useAi,
    onClick: () => void nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' }),
  }
  return <Notice text={copy.manualClosed} action={action} />
}

/** A manual valuation needs real-name verification, once: the step before the form for those who lack it. */
function IdentityStep() {
  const go = () => void nav.to('mineRealName', { redirect: currentUrl() })
  return <Empty art='shield' text={copy.realNameAhead} action={{ text: copy.realNameYes, onClick: go }} />
}

/** Whether the identity is missing; undefined while that is not known. */
function useIdentityMissing(mode: Mode): boolean | undefined {
  const { data, error, reload } = useCall('user', 'get', {})
  useDidReturn(() => void reload())
  if (mode === 'AI' || error) return false
  return data && !isRealNameSubmitted(data.realName.status)
}

interface FormPlace {
  gameId: string
  mode: Mode
  field: string | undefined
}

function LoadedForm({ gameId, mode, field }: FormPlace): ReactNode {
  const load = useCall('evaluation', 'gameConfig', { gameId, mode })
  const isIdentityMissing = useIdentityMissing(mode)
  const { data, error } = load
  if (!data && error?.status === 404) return <Empty art='search' text={copy.unknownGame} action={choose} />
  if (!data && error?.kind === 'business') return <Empty text={error.msg} action={choose} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={6} />}>
      {(config) => {
        const form = { config, onFormChanged: () => void load.reload() }
        // remount from the draft when the form has a newer version
        const key = `${config.gameId}:${mode}:${config.schemaVersion}`
        if (mode === 'AI') return <FillForm key={key} mode={mode} field={field} {...form} />
        if (isIdentityMissing === undefined) return <SkeletonForm fields={6} />
        return (
          <>
            <ManualClosed gameId={gameId} />
            {isIdentityMissing ? <IdentityStep /> : <ManualForm key={key} {...form} />}
          </>
        )
      }}
    </LoadBoundary>
  )
}

/** Form for the account's data, rendered from the game's configuration. */
export function FillScreen({ params }: ScreenProps<'evaluationFillInInfo'>) {
  const { gameId } = params
  if (!gameId) return <Empty art='search' text={copy.noGame} action={choose} />
  return <LoadedForm gameId={gameId} mode={params.mode === 'MANUAL' ? 'MANUAL' : 'AI'} field={params.field} />
}
