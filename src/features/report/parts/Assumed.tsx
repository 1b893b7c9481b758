import { useState } from 'react'
import { gameOfTitle } from '@/contract/format'
import { assumedText, unansweredRule } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import { Cell } from '@/ui/Cell/Cell'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'

/**
 * What the price assumes of the account: a line that opens the list of open questions. Its owner is one tap from each of
 * them; visitors only see which they are.
 */
export function Assumed({ report }: { report: Report }) {
  const [open, setOpen] = useState(false)
  const assumed = report.confidence?.assumed ?? []
  if (assumed.length === 0) return null
  const canAnswer = report.inputs !== undefined && report.mine !== false
  const answer = (key: string) =>
    void openFormWithAnswers({ ...report, gameName: gameOfTitle(report.title) }, 'to', key)
  return (
    <>
      <Pressable className='rp-price__assumed' onClick={() => setOpen(true)}>
        {`${assumedText(assumed.length)} ›`}
      </Pressable>
      <Sheet open={open} onClose={() => setOpen(false)} title={unansweredRule}>
        {assumed.map(({ key, label }) => (
          <Cell key={key} title={label} {...(canAnswer && { value: copy.answerOpen, onClick: () => answer(key) })} />
        ))}
      </Sheet>
    </>
  )
}
