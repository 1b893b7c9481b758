import { View } from '@tarojs/components'
import { pageScrollTo } from '@tarojs/taro'
import { useState } from 'react'
import type { Mode } from '@/contract/form/types'
import type { GameItem } from '@/contract/types'
import type { ScreenProps } from '@/router/page'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Chip } from '@/ui/Chip/Chip'
import { Empty } from '@/ui/Empty/Empty'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Loaded } from '@/ui/Loaded/Loaded'
import { SearchBar } from '@/ui/SearchBar/SearchBar'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from './copy'
import { byLetter } from './games'
import { GameGrid } from './parts/GameGrid'
import { openGame, useGames } from './useGames'
import './ChooseGameScreen.scss'

/** design pixels: what stands above the first row after a jump */
const JUMP_OFFSET = -56

/** one row: all games follow below */
const HOT = 4

const anchor = (letter: string) => `letter-${letter === '#' ? 'other' : letter}`
const jump = (letter: string) =>
  void pageScrollTo({ selector: `#${anchor(letter)}`, offsetTop: JUMP_OFFSET, duration: 200 })

function Row({ game, onPick }: { game: GameItem; onPick: (game: GameItem) => void }) {
  return (
    <Cell
      lead={<GameTile gameId={game.gameId} name={game.name} />}
      title={game.name}
      value={
        <View className='choose-tags'>
          {game.status === 'ONLINE' ? (
            game.modes.map((mode) => (
              <Tag key={mode} tone={mode === 'AI' ? 'blue' : 'pink'}>
                {mode === 'AI' ? copy.badgeAi : copy.badgeManual}
              </Tag>
            ))
          ) : (
            <Tag tone='warn' icon='clock'>
              {copy.maintain}
            </Tag>
          )}
        </View>
      }
      onClick={() => onPick(game)}
    />
  )
}

interface Listed {
  games: readonly GameItem[]
  onPick: (game: GameItem) => void
}

/** A–Z with a row of letters that jump to their place. */
function Index({ games, onPick }: Listed) {
  const groups = byLetter(games)
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
              <Row key={game.gameId} game={game} onPick={onPick} />
            ))}
          </Card>
        </View>
      ))}
    </>
  )
}

function Shelf({ title, games, onPick }: Listed & { title: string }) {
  if (games.length === 0) return null
  return (
    <Card title={title}>
      <GameGrid games={games} onPick={onPick} />
    </Card>
  )
}

/** Everything there is, when nothing is searched for. */
function Browse({ games, recent, onPick }: Listed & { recent: readonly GameItem[] }) {
  return (
    <>
      <Shelf title={copy.recent} games={recent} onPick={onPick} />
      <Shelf title={copy.hot} games={games.filter((game) => game.hot).slice(0, HOT)} onPick={onPick} />
      <Index games={games} onPick={onPick} />
      <View className='choose-missing'>{copy.missing}</View>
    </>
  )
}

function Found({ games, onPick }: Listed) {
  return (
    <Card flush>
      {games.map((game) => (
        <Row key={game.gameId} game={game} onPick={onPick} />
      ))}
    </Card>
  )
}

/** Search, the games valued before, the hot ones, all by letter. */
export function ChooseGameScreen({ params }: ScreenProps<'evaluationChooseGame'>) {
  const mode: Mode = params.mode === 'MANUAL' ? 'MANUAL' : 'AI'
  const [word, setWord] = useState(params.keyword ?? '')
  const { all, shown, recent, searching } = useGames(word)
  const open = (game: GameItem) => openGame(game, mode)
  const clear = { text: copy.clearSearch, onClick: () => setWord('') }

  function content(games: GameItem[]) {
    if (games.length === 0) return <Empty text={copy.noGames} />
    if (word.trim() === '') return <Browse games={games} recent={recent} onPick={open} />
    if (shown.length > 0) return <Found games={shown} onPick={open} />
    if (searching) return <SkeletonRows rows={2} />
    return <Empty art='search' text={copy.noMatch(word.trim())} note={copy.missing} action={clear} />
  }

  return (
    <View className='choose'>
      <View className='choose-find'>
        <SearchBar value={word} onChange={setWord} placeholder={copy.search} />
      </View>
      <Loaded load={all} skeleton={<SkeletonRows rows={8} />}>
        {content}
      </Loaded>
    </View>
  )
}
