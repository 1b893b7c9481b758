import { View } from '@tarojs/components'
import { pageScrollTo } from '@tarojs/taro'
import { useState } from 'react'
import type { Mode } from '@/contract/form/types'
import type { GameItem } from '@/contract/types'
import type { ScreenProps } from '@/router/page'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Chip } from '@/ui/Chip/Chip'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SearchBar } from '@/ui/SearchBar/SearchBar'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { GameRequestSheet } from './parts/GameRequestSheet'
import { GameRow } from './parts/GameRow'
import { openGame, useGames } from './useGames'
import './ChooseGameScreen.scss'

/** More games than this get an index of their first letters. */
const INDEX_ABOVE = 16

interface SectionProps {
  id?: string
  title?: string
  games: readonly GameItem[]
  onPick: (game: GameItem) => void
}

function Section({ id, title, games, onPick }: SectionProps) {
  if (games.length === 0) return null
  return (
    <View id={id}>
      <Card title={title} flush>
        {games.map((game) => (
          <GameRow key={game.gameId} game={game} onPick={onPick} />
        ))}
      </Card>
    </View>
  )
}

/** All games by first letter, with an index of the letters. */
function ByLetter({ games, onPick }: Pick<SectionProps, 'games' | 'onPick'>) {
  const letters = [...new Set(games.map(({ letter }) => letter))].sort()
  return (
    <>
      <View className='ui-chips ui-chips--page' {...a11y('navigation', { label: copy.letters })}>
        {letters.map((letter) => (
          <Chip key={letter} onClick={() => void pageScrollTo({ selector: `#games-${letter}`, duration: 250 })}>
            {letter}
          </Chip>
        ))}
      </View>
      {letters.map((letter) => (
        <Section
          key={letter}
          id={`games-${letter}`}
          title={letter}
          games={games.filter((game) => game.letter === letter)}
          onPick={onPick}
        />
      ))}
    </>
  )
}

/** Recent games, popular ones and the rest, shown while there is no search term. */
function AllGames({ games, recent, onPick }: Pick<SectionProps, 'games' | 'onPick'> & { recent: readonly GameItem[] }) {
  const hot = games.filter((game) => game.hot && !recent.includes(game))
  const rest = games.filter((game) => !hot.includes(game) && !recent.includes(game))
  return (
    <>
      <Section title={copy.recent} games={recent} onPick={onPick} />
      <Section title={copy.hot} games={hot} onPick={onPick} />
      {games.length > INDEX_ABOVE ? (
        <ByLetter games={rest} onPick={onPick} />
      ) : (
        <Section title={copy.all} games={rest} onPick={onPick} />
      )}
    </>
  )
}

/** Game search with recent, popular and all games. */
export function ChooseGameScreen({ params }: ScreenProps<'evaluationChooseGame'>) {
  const mode: Mode = params.mode === 'MANUAL' ? 'MANUAL' : 'AI'
  const [word, setWord] = useState(params.keyword ?? '')
  const { all, shown, recent, searching } = useGames(word)
  const open = (game: GameItem) => openGame(game, mode)
  const [missing, setMissing] = useState(false)
  const reportMissing = () => setMissing(true)

  function content(games: GameItem[]) {
    if (games.length === 0) return <Empty text={copy.noGames} />
    if (word.trim() === '')
      return (
        <>
          <AllGames games={games} recent={recent} onPick={open} />
          <View className='choose-missing'>
            {copy.missing}
            <Button kind='ghost' size='s' onClick={reportMissing}>
              {copy.gameRequestOpen}
            </Button>
          </View>
        </>
      )
    if (shown.length > 0) return <Section games={shown} onPick={open} />
    if (searching) return <SkeletonRows rows={2} />
    const action = { text: copy.gameRequestOpen, onClick: reportMissing }
    return <Empty art='search' text={copy.noMatch(word.trim())} note={copy.missing} action={action} />
  }

  return (
    <View className='choose'>
      <View className='choose-find'>
        <SearchBar value={word} onChange={setWord} placeholder={copy.search} />
      </View>
      <LoadBoundary load={all} skeleton={<SkeletonRows rows={8} />}>
        {content}
      </LoadBoundary>
      {missing ? <GameRequestSheet first={word.trim()} onClose={() => setMissing(false)} /> : null}
    </View>
  )
}
