import { cleanText } from '@/contract/cleanText'
import type { GameItem } from '@/contract/types'
import { storage } from '@/platform/storage'

const RECENT_KEY = 'games:recent'
const RECENT_MAX = 4

/** Ids of recently opened games, latest first. */
export function recentGames(): string[] {
  try {
    const ids: unknown = JSON.parse(storage.get(RECENT_KEY) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string').slice(0, RECENT_MAX) : []
  } catch {
    return []
  }
}

export function rememberGame(gameId: string) {
  const rest = recentGames().filter((id) => id !== gameId)
  storage.set(RECENT_KEY, JSON.stringify([gameId, ...rest].slice(0, RECENT_MAX)))
}

const plain = (text: string) => cleanText(text).trim().toLowerCase().replace(/\s+/g, '')

/** Search results: games whose name or letter matches, and those the server found by pinyin; prefix matches first. */
export function searchGames(games: readonly GameItem[], word: string, found: readonly GameItem[] = []): GameItem[] {
  const wanted = plain(word)
  if (wanted === '') return [...games]
  const ids = new Set(found.map((game) => game.gameId))
  const rank = ({ name, letter, gameId }: GameItem) => {
    if (plain(name).startsWith(wanted)) return 0
    if (plain(name).includes(wanted)) return 1
    return ids.has(gameId) || letter.toLowerCase() === wanted ? 2 : 3
  }
  return games.filter((game) => rank(game) < 3).sort((a, b) => rank(a) - rank(b))
}

/** Known games in the order of `ids`. */
export const gamesByIds = (games: readonly GameItem[], ids: readonly string[]): GameItem[] =>
  ids.flatMap((id) => games.find((game) => game.gameId === id) ?? [])
