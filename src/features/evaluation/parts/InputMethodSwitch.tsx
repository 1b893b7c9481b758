import { View } from '@tarojs/components'
import type { AiMode } from '@/contract/form/types'
import { nav } from '@/router/nav'
import { type Segment, Segmented } from '@/ui/Segmented/Segmented'
import { copy } from '../copy'
import './InputMethodSwitch.scss'

type InputMethod = 'READ' | 'FILL'

const inputMethods: readonly Segment<InputMethod>[] = [
  { v: 'READ', text: copy.methods.READ, icon: 'scan' },
  { v: 'FILL', text: copy.methods.FILL, icon: 'edit' },
]

interface Props {
  gameId: string
  aiMode: AiMode
  method: InputMethod
  /** saves the input before leaving */
  onLeave: () => void
}

/** Choice between collection and manual input; hidden if the game supports only the latter. Both share the answers. */
export function InputMethodSwitch({ gameId, aiMode, method, onLeave }: Props) {
  if (aiMode === 'MANUAL_FORM') return null
  function pick(to: InputMethod) {
    if (to === method) return
    onLeave()
    if (to === 'READ') void nav.redirect('evaluationFillInInfoRpaWebview', { gameId })
    else void nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' })
  }
  return (
    <View className='ev-methods'>
      <Segmented label={copy.methodPick} segments={inputMethods} value={method} onChange={pick} />
      <View className='ev-methods__note'>{method === 'READ' ? copy.methodRead[aiMode] : copy.methodFill[aiMode]}</View>
    </View>
  )
}
