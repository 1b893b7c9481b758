import { View } from '@tarojs/components'
import { useState } from 'react'
import { useCall } from '@/api/useCall'
import type { GameDetail } from '@/contract/types'
import { nav } from '@/router/nav'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { session } from '@/session/store'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Chips } from '@/ui/Chip/Chips'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Skeleton, SkeletonBlock } from '@/ui/Skeleton/Skeleton'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from '../copy'
import { PreviewBand } from '../fill/PricePreview'
import { roundedRangeText } from '../fill/previewScale'
import { usePricePreview } from '../fill/usePricePreview'

type Quick = NonNullable<GameDetail['quick']>
type QuickAnswers = Record<string, string | number>

/** The range so far, which stays in view, and the way to the whole form. */
function Range({ game, quick, answers }: { game: GameDetail; quick: Quick | undefined; answers: QuickAnswers }) {
  const { gameId, name } = game
  const range = usePricePreview({ gameId, schemaVersion: quick?.schemaVersion ?? 0 }, quick && answers, 0)
  const left = (quick?.questions.length ?? 0) - Object.keys(answers).length
  function fill() {
    if (Object.keys(answers).length > 0)
      mergeIntoDraft(session().userId, { gameId, gameName: name, mode: 'AI', answers, from: 'QUICK' })
    void nav.to('evaluationFillInInfo', { gameId, mode: 'AI' })
  }
  const note = [left > 0 ? copy.quickLeft(left) : copy.quickDone, ...(game.synthetic ? [copy.synthetic] : [])].join(
    ' · ',
  )
  return (
    <View className='quick-range'>
      <View {...a11y('status')}>
        <View className='quick-range__price'>{range ? roundedRangeText(range) : copy.quickNone}</View>
        <View className='quick-range__note'>
          <Unbroken text={quick ? note : copy.quickMissing} />
        </View>
      </View>
      <PreviewBand range={range} />
      <Button block className='quick-range__go' onClick={fill}>
        {copy.quickGo}
      </Button>
    </View>
  )
}

function Questions({
  quick,
  answers,
  onAnswer,
}: {
  quick: Quick
  answers: QuickAnswers
  onAnswer: (a: QuickAnswers) => void
}) {
  return (
    <Card>
      {quick.questions.map(({ key, label, options }) => (
        <View key={key} className='quick-question'>
          <View className='quick-question__label'>{label}</View>
          <Chips
            role='radio'
            label={label}
            options={options.map(({ t, answer }) => ({ v: answer, t }))}
            isOn={(answer) => answers[key] === answer}
            onPick={(answer) => onAnswer({ ...answers, [key]: answer })}
          />
        </View>
      ))}
    </Card>
  )
}

function Loaded({ game }: { game: GameDetail }) {
  const [answers, setAnswers] = useState<QuickAnswers>({})
  if (game.status !== 'ONLINE') return <Card>{copy.maintainNote(game.name)}</Card>
  const { quick } = game
  return (
    <>
      <Range {...{ game, quick, answers }} />
      {quick ? <Questions {...{ quick, answers }} onAnswer={setAnswers} /> : null}
    </>
  )
}

export const QuickEstimateSkeleton = () => (
  <Skeleton>
    <View className='quick-range quick-range--wait' />
    <Card>
      <SkeletonBlock w={60} />
    </Card>
  </Skeleton>
)

/** The questions that decide most of a game's price, and the range that narrows with each answer. */
export function QuickEstimate({ gameId }: { gameId: string }) {
  const load = useCall('evaluation', 'gameDetail', { gameId })
  return (
    <LoadBoundary load={load} skeleton={<QuickEstimateSkeleton />}>
      {(game) => <Loaded game={game} />}
    </LoadBoundary>
  )
}
