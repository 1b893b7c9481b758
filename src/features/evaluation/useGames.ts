import { useDidShow } from '@tarojs/taro'
import { useEffect, useState } from 'react'
import { api } from '@/api'
import { useCall } from '@/api/useCall'
import { useLoad } from '@/api/useLoad'
import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import type { Mode } from '@/contract/form/types'
import { modeText } from '@/contract/labels'
import type { GameItem } from '@/contract/types'
import { debounce } from '@/lib/debounce'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { copy } from './copy'
import { gamesByIds, recentGames, searchGames } from './games'

/** Opens a game's form, or shows why it is unavailable. */
export function openGame({ gameId, name, status, modes }: GameItem, mode: Mode) {
  if (status !== 'ONLINE') dialog.toast(copy.maintainNote(name))
  else if (!modes.includes(mode)) dialog.toast(copy.noMode(name, modeText[mode]))
  else void nav.to('evaluationFillInInfo', { gameId, mode })
}

function useDebounced(word: string): string {
  const [debounced, setDebounced] = useState(word)
  const [later] = useState(() => debounce(setDebounced, DEFAULT_DEBOUNCE))
  useEffect(() => {
    later.call(word)
    return later.cancel
  }, [word, later])
  return debounced
}

/** All games and search results: names are matched locally, pinyin and initials by the server. */
export function useGames(word: string) {
  const all = useCall('evaluation', 'gameList', {})
  const typed = word.trim().slice(0, 32)
  const debounced = useDebounced(typed)
  const found = useLoad(`games:${debounced}`, async (signal) =>
    debounced === '' ? [] : api.evaluation.gameList({ keyword: debounced }, { quiet: true, signal }),
  )
  const [recent, setRecent] = useState(recentGames)
  useDidShow(() => setRecent(recentGames()))

  const games = all.data ?? []
  const shown = searchGames(games, typed, typed === debounced ? found.data : [])
  return {
    all,
    shown,
    recent: gamesByIds(games, recent),
    /** whether the server is still searching; only relevant while there are no results */
    searching: typed !== '' && shown.length === 0 && (typed !== debounced || found.loading),
  }
}
