import { usePayStatusLoad } from '@/api/usePayStatus'
import { wechatLogin } from '@/platform/wechatLogin'
import { Button } from '@/ui/Button/Button'
import { copy } from '../copy'
import { useAgreement } from '../useAgreement'
import { AgreementSheet } from './Agreement'

function Offered({ back }: { back: string | undefined }) {
  const agreement = useAgreement()
  const status = usePayStatusLoad('h5')
  if (!status.data?.wechat) return null
  return (
    <>
      <Button kind='secondary' size='l' block onClick={() => agreement.attempt(() => wechatLogin.leave({ back }))}>
        {copy.wxOneTap}
      </Button>
      <AgreementSheet agreement={agreement} />
    </>
  )
}

/** Login button in WeChat's browser if the server supports it; renders nothing elsewhere. */
export function WechatLoginButton({ back }: { back: string | undefined }) {
  return wechatLogin.inBrowser() ? <Offered back={back} /> : null
}
