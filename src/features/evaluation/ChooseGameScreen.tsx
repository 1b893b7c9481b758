import { View } from '@tarojs/components'
import { pageScrollTo } from '@tarojs/taro'
import { useState } from 'react'
import type { Mode } from '@/contract/form/types'
import type { GameItem } from '@/contract/types'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Chip } from '@/ui/Chip/Chip'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SearchBar } from '@/ui/SearchBar/SearchBar'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { groupByLetter } from './games'
import { GameGrid } from './parts/GameGrid'
import { GameRequestSheet } from './parts/GameRequestSheet'
import { GameRow } from './parts/GameRow'
import { openGame, useGames } from './useGames'
import './ChooseGameScreen.scss'

/** design pixels kept free above the row that is jumped to */
const JUMP_OFFSET = -56

/** one row */
const HOT_GAME_COUNT = 4
/** up to this number of games fits two screens: one list without an index of letters */
const MAX_SIMPLE_LIST = 16

const anchor = (letter: string) => `letter-${letter === '#' ? 'other' : letter}`
const jump = (letter: string) =>
  void pageScrollTo({ selector: `#${anchor(letter)}`, offsetTop: JUMP_OFFSET, duration: 200 })

interface Listed {
  games: readonly GameItem[]
  onPick: (game: GameItem) => void
}

/** A–Z list with an index of letters to jump to. */
function LetterIndex({ games, onPick }: Listed) {
  const groups = groupByLetter(games)
  return (
    <>
      <View className='choose-index'>
        {groups.map(({ letter }) => (
          <View key={letter} className='choose-index__one'>
            <Chip label={`${copy.index} ${letter}`} onClick={() => jump(letter)}>
              {letter}
            </Chip>
          </View>
        ))}
      </View>
      {groups.map(({ letter, games: some }) => (
        <View key={letter} id={anchor(letter)}>
          <Card title={letter} flush>
            {some.map((game) => (
              <GameRow key={game.gameId} game={game} onPick={onPick} />
            ))}
          </Card>
        </View>
      ))}
    </>
  )
}

function GameSection({ title, games, onPick }: Listed & { title: string }) {
  if (games.length === 0) return null
  return (
    <Card title={title}>
      <GameGrid games={games} onPick={onPick} />
    </Card>
  )
}

type Browsed = Listed & { recent: readonly GameItem[] }

/** A few games: all of them at once, recent ones first. */
function SimpleList({ games, recent, onPick }: Browsed) {
  const others = games.filter((game) => !recent.includes(game))
  return (
    <Card flush>
      {recent.map((game) => (
        <GameRow key={game.gameId} game={game} note={copy.recent} onPick={onPick} />
      ))}
      {others.map((game) => (
        <GameRow key={game.gameId} game={game} onPick={onPick} />
      ))}
    </Card>
  )
}

/** Many games: recent and popular ones, then all by letter. */
const SectionedList = ({ games, recent, onPick }: Browsed) => (
  <>
    <GameSection title={copy.recent} games={recent} onPick={onPick} />
    <GameSection title={copy.hot} games={games.filter((game) => game.hot).slice(0, HOT_GAME_COUNT)} onPick={onPick} />
    <LetterIndex games={games} onPick={onPick} />
  </>
)

/** All games, shown while there is no search term. */
function GameBrowser({ onMissing, ...browsed }: Browsed & { onMissing: () => void }) {
  const List = browsed.games.length > MAX_SIMPLE_LIST ? SectionedList : SimpleList
  return (
    <>
      <List {...browsed} />
      <View className='choose-missing'>
        {copy.missing}
        <Button kind='ghost' size='s' onClick={onMissing}>
          {copy.gameRequestOpen}
        </Button>
      </View>
    </>
  )
}

function SearchResults({ games, onPick }: Listed) {
  return (
    <Card flush>
      {games.map((game) => (
        <GameRow key={game.gameId} game={game} onPick={onPick} />
      ))}
    </Card>
  )
}

/** Game search with recent, popular and all games. */
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
      return <GameBrowser games={games} recent={recent} onPick={open} onMissing={reportMissing.onClick} />
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
