import { Button } from '@tarojs/components'
import Taro from '@tarojs/taro'
import type { Privacy, PrivacyAgreeButton } from './port'
import '../share/cover.scss'

const BUTTON = 'privacy-agree'
/** ms to wait for the host's event after the tap */
const SAID_WITHIN = 500
/** Calls of the host that wait for the user's answer. */
const waiting: Parameters<Taro.onNeedPrivacyAuthorization.Listener>[0][] = []

export const privacy: Privacy = {
  onRequest(listener) {
    // hosts before 2.32.3 have no such guide
    if (!Taro.canIUse('onNeedPrivacyAuthorization')) return
    Taro.onNeedPrivacyAuthorization((answer) => {
      waiting.push(answer)
      listener()
    })
  },
  answer(agreed) {
    for (const answer of waiting.splice(0))
      answer(agreed ? { event: 'agree', buttonId: BUTTON } : { event: 'disagree' })
  },
}

/**
 * WeChat accepts consent only by a tap on this button and confirms it by an event shortly after the tap. The button must
 * stay mounted until then; a time-out covers hosts that never send the event.
 */
export const HostAgreeButton: PrivacyAgreeButton = ({ onAgree }) => {
  const agree = () => {
    privacy.answer(true)
    onAgree()
  }
  return (
    <Button
      id={BUTTON}
      className='pf-agree'
      openType='agreePrivacyAuthorization'
      onClick={() => setTimeout(agree, SAID_WITHIN)}
      onAgreePrivacyAuthorization={agree}
    />
  )
}
