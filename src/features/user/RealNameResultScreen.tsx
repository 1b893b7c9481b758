import { View } from '@tarojs/components'
import { useCall } from '@/api/useCall'
import type { UserInfo } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Result } from '@/ui/Result/Result'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import './RealNameScreen.scss'

const words = copy.result
type RealName = UserInfo['realName']

const icons = { PASSED: 'check-circle', PENDING: 'clock', FAILED: 'warning', NONE: 'shield' } as const
const tones = { PASSED: 'ok', PENDING: 'blue', FAILED: 'bad', NONE: 'blue' } as const

function VerificationState({ status, reason, triesLeft = 0 }: RealName) {
  const notes = {
    PASSED: words.passedNote,
    PENDING: words.pendingNote,
    FAILED: [reason, words.tries(triesLeft)].filter(Boolean).join('；'),
    NONE: words.tries(triesLeft),
  }
  return <Result icon={icons[status]} tone={tones[status]} title={words[status]} note={notes[status]} />
}

interface ActsProps {
  state: RealName
  redirect: string | undefined
  onRefresh: () => void
}

function ResultActions({ state, redirect, onRefresh }: ActsProps) {
  const { status, triesLeft = 0 } = state
  const onward = redirect ? () => void nav.url(redirect, 'replace') : () => void nav.tab('mine')
  const again = () => void nav.redirect('mineRealName', { redirect })
  return (
    <View className='real-name-result__act'>
      {status === 'PASSED' ? (
        <Button size='l' block onClick={onward}>
          {redirect ? words.goOn : words.home}
        </Button>
      ) : status === 'PENDING' ? (
        <Button size='l' block onClick={onRefresh}>
          {words.refresh}
        </Button>
      ) : (
        <>
          <Button size='l' block disabled={triesLeft === 0} onClick={again}>
            {status === 'NONE' ? words.start : words.again}
          </Button>
          <Button kind='ghost' block onClick={() => void nav.to('chat')}>
            {words.service}
          </Button>
        </>
      )}
    </View>
  )
}

/** Result of the real-name check: the masked identity, or the reason of the failure and the attempts left. */
export function RealNameResultScreen({ params }: ScreenProps<'mineRealNameResult'>) {
  const load = useCall('user', 'get', {})
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows />}>
      {({ realName }) => (
        <View className='real-name-result'>
          <Card>
            <VerificationState {...realName} />
            <ResultActions state={realName} redirect={params.redirect} onRefresh={() => void load.reload()} />
          </Card>
          {realName.nameMasked ? (
            <Card flush>
              <Cell title={words.name} value={realName.nameMasked} />
              <Cell title={words.idNo} value={realName.idNoMasked} />
            </Card>
          ) : null}
        </View>
      )}
    </LoadBoundary>
  )
}
