import { useState } from 'react'
import { useCall } from '@/api/useCall'
import { Chip } from '@/ui/Chip/Chip'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'

export interface PickedGame {
  gameId: string
  name: string
}

interface Props {
  game: PickedGame | undefined
  onPick: (game: PickedGame | undefined) => void
}

/** The games, loaded when the sheet is first opened. */
function GameChoices({ game, onPick }: Props) {
  const load = useCall('evaluation', 'gameList', {})
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows />}>
      {(list) => (
        <>
          <Choice kind='radio' on={game === undefined} onClick={() => onPick(undefined)}>
            {copy.allGames}
          </Choice>
          {list.map(({ gameId, name }) => (
            <Choice key={gameId} kind='radio' on={gameId === game?.gameId} onClick={() => onPick({ gameId, name })}>
              {name}
            </Choice>
          ))}
        </>
      )}
    </LoadBoundary>
  )
}

/** Records of one game only. */
export function GameFilter({ game, onPick }: Props) {
  const [open, setOpen] = useState(false)
  const name = game?.name ?? copy.allGames
  const pick = (next: PickedGame | undefined) => {
    setOpen(false)
    onPick(next)
  }
  return (
    <>
      <Chip selected={game !== undefined} label={copy.filterLabel(name)} onClick={() => setOpen(true)}>
        {name}
      </Chip>
      <Sheet open={open} onClose={() => setOpen(false)} title={copy.filterTitle}>
        {open ? <GameChoices game={game} onPick={pick} /> : null}
      </Sheet>
    </>
  )
}
