import { AppError, api } from '@/api'
import type { ChatPage } from '@/contract/types'
import type { Scope } from '@/lib/scope'

/** ms: an empty answer that came sooner was not waited for */
const HELD = 1000
/** ms between two questions where the server or a proxy does not hold them open */
const POLL = 3000
/** ms before another try: doubled each time up to the longest */
const FIRST_WAIT = 1000
const LONGEST_WAIT = 30_000
/** failures in a row after which the user is told; a single one is mended before it is read */
const TELL_AFTER = 2

/** What the reader has; moved on by answers only, so that nothing between two of them is skipped. */
export interface Known {
  seq: number
  readSeq: number
}

interface Follow {
  known: Known
  life: Scope
  onPage: (page: ChatPage) => void
  onOnline: (online: boolean) => void
}

/** Ends early with `life`. */
function pause(life: Scope, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    life.onEnd(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function next({ known, life, onPage, onOnline }: Follow): Promise<void> {
  const began = Date.now()
  const page = await api.chat.messages(
    { after: known.seq, readSeq: known.readSeq, wait: true },
    { quiet: true, scope: life },
  )
  if (life.ended) return
  const news = page.list.length > 0 || page.readSeq !== known.readSeq
  known.seq = page.list[page.list.length - 1]?.seq ?? known.seq
  known.readSeq = page.readSeq
  onOnline(true)
  if (news) onPage(page)
  else if (Date.now() - began < HELD) await pause(life, POLL)
}

/**
 * Hears of every message after `known`, each once and in order, until `life` ends: by requests that the server holds
 * open, by plain ones every 3 s where they are not held, and again after failures.
 */
export async function follow(options: Follow): Promise<void> {
  const { life, onOnline } = options
  for (let failures = 0; !life.ended; ) {
    try {
      await next(options)
      failures = 0
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      if (life.ended || e.behaviour === 'relogin') return
      failures += 1
      if (failures >= TELL_AFTER) onOnline(false)
      await pause(life, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures))
    }
  }
}
