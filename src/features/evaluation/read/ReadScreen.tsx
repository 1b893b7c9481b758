import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { isRunning, useTask } from '@/api/useTask'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Empty } from '@/ui/Empty/Empty'
import { Loaded } from '@/ui/Loaded/Loaded'
import { SkeletonForm } from '@/ui/Skeleton/Skeleton'
import { Consent } from './Consent'
import { copy } from './copy'
import { Ended } from './Ended'
import { Running } from './Running'

const useForm = (gameId: string) =>
  useLoad(`read:${gameId}`, (scope) => api.evaluation.gameConfig({ gameId, mode: 'AI' }, { quiet: true, scope }))

function Begin({ gameId, orderId }: { gameId: string; orderId: string | undefined }) {
  const load = useForm(gameId)
  return (
    <Loaded load={load} skeleton={<SkeletonForm fields={4} />}>
      {(config) => <Consent key={config.schemaVersion} config={config} orderId={orderId} />}
    </Loaded>
  )
}

function Task({ taskId }: { taskId: string }) {
  const { load, onActed } = useTask(taskId)
  return (
    <Loaded load={load} skeleton={<SkeletonForm fields={4} />}>
      {(task) =>
        isRunning(task) ? <Running task={task} onActed={onActed} /> : <Ended task={task} onActed={onActed} />
      }
    </Loaded>
  )
}

/** An authorised read: consent, then its steps, then its end. The task stands in the address, so a refresh goes on. */
export function ReadScreen({ params }: ScreenProps<'evaluationFillInInfoRpaWebview'>) {
  const { gameId, taskId, orderId } = params
  if (taskId) return <Task key={taskId} taskId={taskId} />
  if (gameId) return <Begin key={gameId} gameId={gameId} orderId={orderId} />
  const choose = { text: copy.choose, onClick: () => void nav.redirect('evaluationChooseGame') }
  return <Empty art='search' text={copy.noGame} action={choose} />
}
