import { isEmpty } from '@/contract/form/answers'
import type { Mode } from '@/contract/form/types'
import type { GameItem } from '@/contract/types'
import { drafts } from '@/session/drafts'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { session } from '@/session/store'
import { Card } from '@/ui/Card/Card'
import { copy } from '../copy'
import { ListingPaste, type ParsedListing } from '../fill/ListingPaste'
import { openGame } from '../useGames'

interface Props {
  games: readonly GameItem[]
  mode: Mode
  opened: boolean
  onOpened: () => void
}

/** Starts from a listing, which determines the game and prefills its form; existing input is kept. */
export function ListingEntry({ games, mode, opened, onOpened }: Props) {
  function onFound({ gameId, parsed, askFen }: ParsedListing) {
    const game = games.find((one) => one.gameId === gameId)
    if (!game) return
    const owner = session().userId
    const typed = drafts.load(owner, gameId, mode)?.answers ?? {}
    const answers = Object.fromEntries(Object.entries(parsed).filter(([key]) => isEmpty(typed[key])))
    // the price belongs to the listing's account, not to one that was typed before
    const ownPrice = Object.values(typed).every(isEmpty) ? askFen : undefined
    mergeIntoDraft(owner, { gameId, gameName: game.name, mode, answers, from: 'PASTED', askFen: ownPrice })
    openGame(game, mode)
  }
  return (
    <Card flush>
      <ListingPaste
        title={copy.pasteFirst}
        note={copy.pasteFirstNote}
        opened={opened}
        onOpened={onOpened}
        onFound={onFound}
      />
    </Card>
  )
}
