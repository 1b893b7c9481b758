import type { Answer } from '@/contract/form/types'
import type { Report } from '@/contract/types'
import { uuid } from '@/lib/id'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { drafts } from '@/session/drafts'
import { session } from '@/session/store'
import { copy } from './copy'

/** Opens the form with this report's answers in it. A draft that would be lost is asked about first. */
export async function revalue({ gameId, mode, title, inputs }: Report): Promise<void> {
  const owner = session().userId
  if (inputs) {
    const { answers, schemaVersion } = inputs
    const known = drafts.load(owner, gameId, mode)
    const other = known !== undefined && JSON.stringify(known.answers) !== JSON.stringify(answers)
    const text = { title: copy.replaceTitle, content: copy.replaceText }
    const replace =
      !other || (await dialog.confirm({ ...text, confirmText: copy.replaceYes, cancelText: copy.replaceNo }))
    const given = Object.entries(answers).filter((entry): entry is [string, Answer] => entry[1] !== undefined)
    if (replace)
      drafts.save(owner, {
        gameId,
        gameName: title.split(' · ')[0] ?? title,
        mode,
        schemaVersion,
        answers,
        labels: {},
        filled: Object.fromEntries(given.map(([key, answer]) => [key, { from: 'LAST', answer }])),
        requestId: uuid(),
        done: given.length,
        total: given.length,
        savedAt: Date.now(),
      })
  }
  void nav.to('evaluationFillInInfo', { gameId, mode })
}
