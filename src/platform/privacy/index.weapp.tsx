import { Button } from '@tarojs/components'
import type { HostAgree, Privacy } from './port'
import './privacy.scss'

const BUTTON = 'privacy-agree'
/** Calls of the host that wait for the answer. */
const waiting: WxPrivacyAnswer[] = []

export const privacy: Privacy = {
  follow(asked) {
    // hosts before 2.32.3 have no such guide
    wx.onNeedPrivacyAuthorization?.((answer) => {
      waiting.push(answer)
      asked()
    })
  },
  answer(agreed) {
    for (const answer of waiting.splice(0))
      answer(agreed ? { event: 'agree', buttonId: BUTTON } : { event: 'disagree' })
  },
}

/** The host believes a tap on this button only, and says so by an event of its own. */
export const AgreeOver: HostAgree = ({ onAgree }) => (
  <Button
    id={BUTTON}
    className='pf-agree'
    openType='agreePrivacyAuthorization'
    onClick={onAgree}
    onAgreePrivacyAuthorization={() => privacy.answer(true)}
  />
)
