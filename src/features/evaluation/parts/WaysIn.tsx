import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { AiMode } from '@/contract/form/types'
import { nav } from '@/router/nav'
import { a11y } from '@/ui/a11y'
import { Chip } from '@/ui/Chip/Chip'
import { copy } from '../copy'
import './WaysIn.scss'

interface Props {
  gameId: string
  aiMode: AiMode
  way: 'READ' | 'FILL'
  /** saves the input before leaving */
  onLeave: () => void
  /** the way that takes the least effort, where the game has it */
  first?: ReactNode
  /** further ways, which prefill the form that is open */
  children?: ReactNode
}

/** The other ways to give the answers, in one row. */
export function WaysIn({ gameId, aiMode, way, onLeave, first, children }: Props) {
  function go(to: Props['way']) {
    onLeave()
    if (to === 'READ') void nav.redirect('evaluationFillInInfoRpaWebview', { gameId })
    else void nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' })
  }
  return (
    <View className='ev-ways' {...a11y('group', { label: copy.waysPick })}>
      {first}
      {aiMode === 'MANUAL_FORM' || way === 'READ' ? null : <Chip onClick={() => go('READ')}>{copy.ways.READ}</Chip>}
      {children}
      {way === 'FILL' ? null : <Chip onClick={() => go('FILL')}>{copy.ways.FILL}</Chip>}
    </View>
  )
}
