import { type ApiError, api, isShown } from '@/api'
import { useAction } from '@/api/useAction'
import { usePayStatusLoad } from '@/api/usePayStatus'
import { socialTypes } from '@/contract/labels'
import { device } from '@/platform/device'
import { dialog } from '@/platform/dialog'
import { wechatLogin } from '@/platform/wechatLogin'
import { buildUrl } from '@/router/params'
import { appState, dispatch } from '@/session/store'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

const words = copy.setting

interface Props {
  bound: boolean
  onChanged: () => void
}

function Offered({ bound, onChanged }: Props) {
  const { run } = useAction()
  async function bind() {
    if (!device.hasNativeLogin) return wechatLogin.leave({ back: buildUrl('mineSetting'), bind: true })
    const code = await wechatLogin.code()
    if (code === undefined) return dialog.toast(words.wechatFailed)
    const req = { type: socialTypes.WECHAT_MINI, code, state: wechatLogin.state(), bind: true }
    const { token, userId, newUser } = await api.user.socialLogin(req, { quiet: true })
    dispatch({ type: 'loggedIn', token, userId, newUser })
    onChanged()
  }
  const failed = (e: ApiError) => {
    if (!isShown(e)) dialog.toast(e.detail)
    return undefined
  }
  return bound ? (
    <Cell title={words.wechat} value={words.wechatBound} />
  ) : (
    <Cell title={words.wechat} value={words.bindMobile} onClick={() => void run(bind, failed)} />
  )
}

function OfferedInBrowser(props: Props) {
  const status = usePayStatusLoad(appState().platform)
  return status.data?.wechat ? <Offered {...props} /> : null
}

/** Links the account to the user's WeChat again, where one can log in by it: a new password or number unlinks it. */
export function WechatCell(props: Props) {
  if (device.hasNativeLogin) return <Offered {...props} />
  return wechatLogin.inBrowser() ? <OfferedInBrowser {...props} /> : null
}
