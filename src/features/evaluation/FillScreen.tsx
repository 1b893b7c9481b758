import type { ReactNode } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { Mode } from '@/contract/form/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Empty } from '@/ui/Empty/Empty'
import { Loaded } from '@/ui/Loaded/Loaded'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonForm } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { FillForm } from './fill/FillForm'
import { useManual } from './useManual'

const choose = { text: copy.goChoose, onClick: () => void nav.redirect('evaluationChooseGame') }

/** The human service is not open yet: said before anything is typed for it. */
function Closed({ gameId }: { gameId: string }) {
  const manual = useManual()
  if (manual.open) return null
  const action = {
    text: copy.useAi,
    onClick: () => void nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' }),
  }
  return <Notice text={copy.manualClosed} action={action} />
}

function Form({ gameId, mode }: { gameId: string; mode: Mode }): ReactNode {
  const load = useLoad(`form:${gameId}:${mode}`, (scope) =>
    api.evaluation.gameConfig({ gameId, mode }, { quiet: true, scope }),
  )
  const { data, error } = load
  if (!data && error?.status === 404) return <Empty art='search' text={copy.unknownGame} action={choose} />
  if (!data && error?.kind === 'business') return <Empty text={error.msg} action={choose} />
  return (
    <Loaded load={load} skeleton={<SkeletonForm fields={6} />}>
      {(config) => (
        <>
          {mode === 'MANUAL' ? <Closed gameId={gameId} /> : null}
          <FillForm
            // a newer form starts anew, from the draft
            key={`${config.gameId}:${mode}:${config.schemaVersion}`}
            config={config}
            mode={mode}
            onFormChanged={() => void load.reload()}
          />
        </>
      )}
    </Loaded>
  )
}

/** Filling in an account, by the form its game brings along. */
export function FillScreen({ params }: ScreenProps<'evaluationFillInInfo'>) {
  const { gameId } = params
  if (!gameId) return <Empty art='search' text={copy.noGame} action={choose} />
  return <Form gameId={gameId} mode={params.mode === 'MANUAL' ? 'MANUAL' : 'AI'} />
}
