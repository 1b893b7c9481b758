import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { Answers } from '@/contract/form/types'
import { usePageSignal } from '@/router/pageContext'
import { Cell } from '@/ui/Cell/Cell'
import { Chip } from '@/ui/Chip/Chip'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextArea } from '@/ui/TextArea/TextArea'
import { copy } from '../copy'
import './ListingPaste.scss'

/** the server's limit */
const MAX_LISTING_LENGTH = 2000

/** Some apps copy invisible control characters, which the server rejects. */
const controlCharacters = /(?![\n\r\t])\p{Cc}/gu

/** Classifies the input as the URL, the number or the text of a listing. */
function parseListingInput(raw: string): { link: string } | { number: string } | { text: string } {
  const text = raw.replace(controlCharacters, '').trim()
  if (/^https?:\/\/\S{1,490}$/i.test(text)) return { link: text }
  return /^[A-Za-z0-9-]{5,64}$/.test(text) ? { number: text } : { text }
}

export interface ParsedListing {
  gameId: string
  parsed: Answers
  /** fen */
  askFen?: number
}

/** Lets the server parse a pasted listing. `trouble`: why that failed. */
function useListingParser(gameId: string | undefined, onFound: (found: ParsedListing) => void) {
  const signal = usePageSignal()
  const { busy, failure: trouble, setFailure: setTrouble, run } = useAction()
  function verify(raw: string) {
    if (raw.trim() === '') return setTrouble(copy.pasteEmpty)
    const request = { ...(gameId && { gameId }), ...parseListingInput(raw) }
    void run(
      async () => {
        const found = await api.evaluation.linkVerify(request, { quiet: true, signal })
        if (Object.keys(found.parsed).length > 0) onFound(found)
        else setTrouble(copy.pasteNothing)
      },
      (e) => (e.kind === 'business' ? e.msg : copy.pasteFailed),
    )
  }
  return { verify, busy, trouble }
}

interface Props {
  /** undefined: the listing must name the game */
  gameId?: string
  /** whether it is drawn as a chip, beside other ways to fill the form */
  chip?: boolean
  onFound: (found: ParsedListing) => void
}

/** Prefills the form from a listing: URL, number or description. */
export function ListingPaste({ gameId, chip, onFound }: Props) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { verify, busy, trouble } = useListingParser(gameId, (found) => {
    setOpen(false)
    setText('')
    onFound(found)
  })
  const show = () => setOpen(true)
  return (
    <>
      {chip ? <Chip onClick={show}>{copy.paste}</Chip> : <Cell icon='link' title={copy.paste} onClick={show} />}
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={copy.paste}
        action={{ text: busy ? copy.pasteBusy : copy.pasteGo, loading: busy, onClick: () => verify(text) }}
      >
        <View className='fill-paste'>
          <TextArea
            label={copy.pasteLabel}
            value={text}
            onChange={setText}
            maxLength={MAX_LISTING_LENGTH}
            placeholder={copy.pasteHint}
          />
          {trouble ? <Notice tone='bad' text={trouble} /> : null}
        </View>
      </Sheet>
    </>
  )
}
