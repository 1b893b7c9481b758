import { View } from '@tarojs/components'
import type { AiMode } from '@/contract/form/types'
import { nav } from '@/router/nav'
import { type Segment, Segmented } from '@/ui/Segmented/Segmented'
import { copy } from '../copy'
import './InputMethodSwitch.scss'

type InputMethod = 'READ' | 'FILL'

const inputMethods: readonly Segment<InputMethod>[] = [
  { v: 'READ', text: copy.ways.READ, icon: 'scan' },
  { v: 'FILL', text: copy.ways.FILL, icon: 'edit' },
]

interface Props {
  gameId: string
  aiMode: AiMode
  way: InputMethod
  /** saves the input before leaving */
  onLeave: () => void
}

/** Choice of authorised read or manual input; hidden if the game supports only input. Answers are shared by both. */
export function InputMethodSwitch({ gameId, aiMode, way, onLeave }: Props) {
  if (aiMode === 'MANUAL_FORM') return null
  function pick(to: InputMethod) {
    if (to === way) return
    onLeave()
    if (to === 'READ') void nav.redirect('evaluationFillInInfoRpaWebview', { gameId })
    else void nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' })
  }
  return (
    <View className='ev-ways'>
      <Segmented label={copy.wayPick} segments={inputMethods} value={way} onChange={pick} />
      <View className='ev-ways__note'>{way === 'READ' ? copy.wayRead[aiMode] : copy.wayFill[aiMode]}</View>
    </View>
  )
}
