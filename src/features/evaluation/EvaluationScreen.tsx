import { ScrollView, View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { useCall } from '@/api/useCall'
import { usePayStatus } from '@/api/usePayStatus'
import type { GameItem } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { appState } from '@/session/store'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { cx } from '@/ui/cx'
import { Empty } from '@/ui/Empty/Empty'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Icon } from '@/ui/Icon/Icon'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from './copy'
import { recentGames } from './games'
import { ListingEntry } from './parts/ListingEntry'
import { QuickEstimate, QuickEstimateSkeleton } from './quick/QuickEstimate'
import './quick/quick.scss'

/** games in the row; the page of all games has the others */
const MAX_GAMES = 12

/** The games in a row that scrolls sideways. */
function GameRow({
  games,
  chosen,
  onPick,
}: {
  games: readonly GameItem[]
  chosen: string
  onPick: (id: string) => void
}) {
  return (
    <ScrollView scrollX className='quick-games' enhanced showScrollbar={false}>
      <View className='quick-games__row' {...a11y('radiogroup', { label: copy.pickGame })}>
        {games.slice(0, MAX_GAMES).map(({ gameId, name }) => (
          <Pressable
            key={gameId}
            role='radio'
            checked={gameId === chosen}
            className={cx('quick-games__one', gameId === chosen && 'quick-games__one--on')}
            onClick={() => onPick(gameId)}
          >
            <GameTile gameId={gameId} size='l' />
            <View className='quick-games__name'>{name}</View>
          </Pressable>
        ))}
        <Pressable role='link' className='quick-games__one' onClick={() => void nav.to('evaluationChooseGame')}>
          <View className='quick-games__all'>
            <Icon name='search' />
          </View>
          <View className='quick-games__name'>{copy.all}</View>
        </Pressable>
      </View>
    </ScrollView>
  )
}

/** Other ways to a price of the same game. */
function OtherWays({ games, game }: { games: readonly GameItem[]; game: GameItem }) {
  const { manual, manualFromFen } = usePayStatus(appState().platform)
  return (
    <Card flush>
      <ListingEntry games={games} />
      {manual && game.modes.includes('MANUAL') ? (
        <View className='quick-human'>
          <Cell
            icon='expert'
            title={copy.modes.MANUAL}
            value={copy.manualFrom(manualFromFen)}
            onClick={() => void nav.to('evaluationFillInInfo', { gameId: game.gameId, mode: 'MANUAL' })}
          />
        </View>
      ) : null}
    </Card>
  )
}

/** The game of the link or the last one first; any of them can be chosen. */
function Estimate({ games, wanted }: { games: readonly GameItem[]; wanted: string | undefined }) {
  const first = wanted ?? recentGames()[0]
  const [chosen, setChosen] = useState(first)
  useEffect(() => setChosen(first), [first])
  const game = games.find(({ gameId }) => gameId === chosen) ?? games[0]
  if (!game) return <Empty text={copy.noGames} />
  const ordered = [...games.filter(({ gameId }) => gameId === first), ...games.filter(({ gameId }) => gameId !== first)]
  return (
    <>
      <GameRow games={ordered} chosen={game.gameId} onPick={setChosen} />
      <QuickEstimate key={game.gameId} gameId={game.gameId} />
      <OtherWays games={games} game={game} />
    </>
  )
}

/** The tab 估价: a range for a few answers, without a login. */
export function EvaluationScreen({ params }: ScreenProps<'evaluation'>) {
  const all = useCall('evaluation', 'gameList', {})
  return (
    <View className='quick'>
      <LoadBoundary load={all} skeleton={<QuickEstimateSkeleton />}>
        {(games) => <Estimate games={games} wanted={params.gameId} />}
      </LoadBoundary>
    </View>
  )
}
