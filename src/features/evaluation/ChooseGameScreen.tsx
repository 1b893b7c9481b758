import { View } from '@tarojs/components'
import { useState } from 'react'
import type { Mode } from '@/contract/form/types'
import type { GameItem } from '@/contract/types'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SearchBar } from '@/ui/SearchBar/SearchBar'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { GameRequestSheet } from './parts/GameRequestSheet'
import { GameRow } from './parts/GameRow'
import { openGame, useGames } from './useGames'
import './ChooseGameScreen.scss'

interface ListedProps {
  games: readonly GameItem[]
  recent: readonly GameItem[]
  onPick: (game: GameItem) => void
  onMissing: () => void
}

/** All games, recent ones first, shown while there is no search term. */
function AllGames({ games, recent, onPick, onMissing }: ListedProps) {
  return (
    <>
      <Card flush>
        {recent.map((game) => (
          <GameRow key={game.gameId} game={game} note={copy.recent} onPick={onPick} />
        ))}
        {games
          .filter((game) => !recent.includes(game))
          .map((game) => (
            <GameRow key={game.gameId} game={game} onPick={onPick} />
          ))}
      </Card>
      <View className='choose-missing'>
        {copy.missing}
        <Button kind='ghost' size='s' onClick={onMissing}>
          {copy.gameRequestOpen}
        </Button>
      </View>
    </>
  )
}

function SearchResults({ games, onPick }: Pick<ListedProps, 'games' | 'onPick'>) {
  return (
    <Card flush>
      {games.map((game) => (
        <GameRow key={game.gameId} game={game} onPick={onPick} />
      ))}
    </Card>
  )
}

/** Game search with recent and all games. */
export function ChooseGameScreen({ params }: ScreenProps<'evaluationChooseGame'>) {
  const mode: Mode = params.mode === 'MANUAL' ? 'MANUAL' : 'AI'
  const [word, setWord] = useState(params.keyword ?? '')
  const { all, shown, recent, searching } = useGames(word)
  const open = (game: GameItem) => openGame(game, mode)
  const [missing, setMissing] = useState(false)
  // clear the search once the request has been sent
  function close(sent: boolean) {
    setMissing(false)
    if (sent) setWord('')
  }
  const reportMissing = { text: copy.gameRequestOpen, onClick: () => setMissing(true) }

  function content(games: GameItem[]) {
    if (games.length === 0) return <Empty text={copy.noGames} />
    if (word.trim() === '')
      return <AllGames games={games} recent={recent} onPick={open} onMissing={reportMissing.onClick} />
    if (shown.length > 0) return <SearchResults games={shown} onPick={open} />
    if (searching) return <SkeletonRows rows={2} />
    return <Empty art='search' text={copy.noMatch(word.trim())} note={copy.gameRequestNote} action={reportMissing} />
  }

  return (
    <View className='choose'>
      <View className='choose-find'>
        <SearchBar value={word} onChange={setWord} placeholder={copy.search} />
      </View>
      <LoadBoundary load={all} skeleton={<SkeletonRows rows={8} />}>
        {content}
      </LoadBoundary>
      {missing ? <GameRequestSheet name={word.trim()} onClose={close} /> : null}
    </View>
  )
}
