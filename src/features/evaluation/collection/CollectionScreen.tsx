import { useCall } from '@/api/useCall'
import { isRunning, useCollectionTask } from '@/api/useCollectionTask'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { CollectionConsent } from './CollectionConsent'
import { CollectionProgress } from './CollectionProgress'
import { CollectionResult } from './CollectionResult'
import { copy } from './copy'

const useForm = (gameId: string) => useCall('evaluation', 'gameConfig', { gameId, mode: 'AI' })

function Begin({ gameId, orderId }: { gameId: string; orderId: string | undefined }) {
  const load = useForm(gameId)
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={4} />}>
      {(config) => <CollectionConsent key={config.schemaVersion} config={config} orderId={orderId} />}
    </LoadBoundary>
  )
}

function Task({ taskId }: { taskId: string }) {
  const { load, onActed } = useCollectionTask(taskId)
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={4} />}>
      {(task) =>
        isRunning(task) ? (
          <CollectionProgress task={task} onActed={onActed} />
        ) : (
          <CollectionResult task={task} onActed={onActed} />
        )
      }
    </LoadBoundary>
  )
}

/** Authorised collection: consent, progress, result. The task id is in the URL, so a refresh resumes it. */
export function CollectionScreen({ params }: ScreenProps<'evaluationFillInInfoRpaWebview'>) {
  const { gameId, taskId, orderId } = params
  if (taskId) return <Task key={taskId} taskId={taskId} />
  if (gameId) return <Begin key={gameId} gameId={gameId} orderId={orderId} />
  const choose = { text: copy.choose, onClick: () => void nav.redirect('evaluationChooseGame') }
  return <Empty art='search' text={copy.noGame} action={choose} />
}
