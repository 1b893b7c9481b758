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
 * Ways to a better price: the questions whose answers are assumed, each of them one tap for the owner while visitors only see
 * which they are, and an appraiser where the account is beyond all sales.
 */
export function PriceWays({ report }: { report: Report }) {
  const [open, setOpen] = useState(false)
  const { confidence, inputs, mine, mode, price, title } = report
  const assumed = confidence?.assumed ?? []
  const isOwner = mine !== false
  const openForm = (to: Report['mode'], field?: string) =>
    void openFormWithAnswers({ ...report, gameName: gameOfTitle(title), mode: to }, 'to', field)
  return (
    <>
      {assumed.length > 0 ? (
        <Pressable className='rp-price__assumed' onClick={() => setOpen(true)}>
          {`${assumedText(assumed.length)} ›`}
        </Pressable>
      ) : null}
      {price.isOpen && isOwner ? (
        <Pressable className='rp-price__assumed' onClick={() => openForm('MANUAL')}>
          {copy.askAppraiser}
        </Pressable>
      ) : null}
      <Sheet open={open} onClose={() => setOpen(false)} title={unansweredRule}>
        {assumed.map(({ key, label }) => (
          <Cell
            key={key}
            title={label}
            {...(inputs && isOwner && { value: copy.answerOpen, onClick: () => openForm(mode, key) })}
          />
        ))}
      </Sheet>
    </>
  )
}
