import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { APP_VERSION } from '@/contract/constants'
import { wechatLogin } from '@/platform/wechatLogin'
import { Button } from '@/ui/Button/Button'
import { copy } from '../copy'
import { useAgreement } from '../useLogin'
import { AgreeSheet } from './Agree'

function Offered({ back }: { back: string | undefined }) {
  const agreement = useAgreement()
  const status = useLoad('status', (scope) =>
    api.app.openPayStatus({ platform: 'h5', version: APP_VERSION }, { quiet: true, scope }),
  )
  if (!status.data?.wechat) return null
  return (
    <>
      <Button kind='secondary' size='l' block onClick={() => agreement.attempt(() => wechatLogin.leave({ back }))}>
        {copy.wxOneTap}
      </Button>
      <AgreeSheet agreement={agreement} />
    </>
  )
}

/** One tap in WeChat's browser, where the server has it set up; nothing elsewhere. */
export function WechatWay({ back }: { back: string | undefined }) {
  return wechatLogin.inBrowser() ? <Offered back={back} /> : null
}
