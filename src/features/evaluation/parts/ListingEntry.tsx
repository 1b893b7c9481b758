import { isEmpty } from '@/contract/form/answers'
import type { GameItem } from '@/contract/types'
import { drafts } from '@/session/drafts'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { session } from '@/session/store'
import { ListingPaste, type ParsedListing } from '../fill/ListingPaste'
import { openGame } from '../useGames'

/** Starts from a listing, which determines the game and prefills its form; existing input is kept. */
export function ListingEntry({ games }: { games: readonly GameItem[] }) {
  function onFound({ gameId, parsed, askFen }: ParsedListing) {
    const game = games.find((candidate) => candidate.gameId === gameId)
    if (!game) return
    const owner = session().userId
    const typed = drafts.load(owner, gameId, 'AI')?.answers ?? {}
    const answers = Object.fromEntries(Object.entries(parsed).filter(([key]) => isEmpty(typed[key])))
    // the price belongs to the listing's account, not to one that was typed before
    const ownPrice = Object.values(typed).every(isEmpty) ? askFen : undefined
    mergeIntoDraft(owner, { gameId, gameName: game.name, mode: 'AI', answers, from: 'PASTED', askFen: ownPrice })
    openGame(game, 'AI')
  }
  return <ListingPaste onFound={onFound} />
}
