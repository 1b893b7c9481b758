import { View } from '@tarojs/components'
import { useCallback, useEffect, useState } from 'react'
import type { Mode } from '@/contract/form/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { setTabParams } from '@/router/tabParams'
import { Card } from '@/ui/Card/Card'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { SearchBar } from '@/ui/SearchBar/SearchBar'
import { Steps } from '@/ui/Steps/Steps'
import { copy } from './copy'
import { DataUse } from './parts/DataUse'
import { GameGrid, GameGridSkeleton } from './parts/GameGrid'
import { LastReport } from './parts/LastReport'
import { ListingEntry } from './parts/ListingEntry'
import { ModeSwitch } from './parts/ModeSwitch'
import { openGame, useGames } from './useGames'
import { useManualService } from './useManualService'
import './EvaluationScreen.scss'

/** Games of the mode with search; recent ones first. */
function GamePicker({ mode, paste, onPaste }: { mode: Mode; paste: boolean; onPaste: () => void }) {
  const [word, setWord] = useState('')
  const { all, shown, recent, searching } = useGames(word)
  const open = (game: Parameters<typeof openGame>[0]) => openGame(game, mode)
  return (
    <>
      {recent.length > 0 && word === '' ? (
        <Card title={copy.recent}>
          <GameGrid games={recent} onPick={open} />
        </Card>
      ) : null}
      <ListingEntry games={all.data ?? []} mode={mode} opened={paste} onOpened={onPaste} />
      <Card title={copy.pickGame}>
        <View className='ev-find'>
          <SearchBar value={word} onChange={setWord} placeholder={copy.search} />
        </View>
        <LoadBoundary load={all} skeleton={<GameGridSkeleton />}>
          {(games) =>
            shown.length > 0 ? (
              <GameGrid games={shown} onPick={open} />
            ) : searching ? (
              <GameGridSkeleton />
            ) : (
              <Empty
                art='search'
                text={games.length === 0 ? copy.noGames : copy.noMatch(word.trim())}
                note={games.length === 0 ? undefined : copy.gameRequestNote}
                action={
                  word
                    ? {
                        text: copy.gameRequestOpen,
                        onClick: () => void nav.to('evaluationChooseGame', { mode, keyword: word.trim() }),
                      }
                    : undefined
                }
              />
            )
          }
        </LoadBoundary>
      </Card>
    </>
  )
}

/** The tab 估价: mode, game and how the entered data is used. */
export function EvaluationScreen({ params }: ScreenProps<'evaluation'>) {
  const [mode, setMode] = useState<Mode>('AI')
  useEffect(() => setMode(params.mode === 'MANUAL' ? 'MANUAL' : 'AI'), [params])
  const manual = useManualService()
  // a tab keeps its parameters: the sheet would open again at the next visit
  const onPaste = useCallback(() => setTabParams('evaluation', { ...params, paste: undefined }), [params])
  return (
    <View className='ev'>
      <ModeSwitch mode={mode} onPick={setMode} freePerDay={manual.freePerDay} fromFen={manual.manualFromFen} />
      {mode === 'MANUAL' && !manual.load.data ? (
        <LoadBoundary load={manual.load} skeleton={<GameGridSkeleton />}>
          {() => null}
        </LoadBoundary>
      ) : mode === 'MANUAL' && !manual.available ? (
        <Notice text={copy.manualClosed} action={{ text: copy.useAi, onClick: () => setMode('AI') }} />
      ) : (
        <GamePicker mode={mode} paste={params.paste === '1'} onPaste={onPaste} />
      )}
      <LastReport />
      <Card title={copy.how}>
        <Steps items={copy.steps} />
      </Card>
      <DataUse />
    </View>
  )
}
