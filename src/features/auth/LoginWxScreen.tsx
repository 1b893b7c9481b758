import { Button as HostButton, View } from '@tarojs/components'
import { useState } from 'react'
import { device } from '@/platform/device'
import { wechatLogin } from '@/platform/wechatLogin'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { cx } from '@/ui/cx'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from './copy'
import { LoginH5Screen } from './LoginH5Screen'
import { AgreementPrompt, LoginAgreement } from './parts/Agreement'
import { LoginHead, SafetyNote } from './parts/Brand'
import { type Agreement, useAgreement } from './useAgreement'
import { type QuickLogin, useQuickLogin } from './useQuickLogin'
import './LoginScreen.scss'

interface PhoneButtonProps {
  children: string
  second?: boolean
  disabled?: boolean
  onPhone: (code: string | undefined, errno?: number) => void
}

/** The host's own button, the only element that may request the phone number. */
function PhoneButton({ children, second = false, disabled = false, onPhone }: PhoneButtonProps) {
  return (
    <HostButton
      id='login-phone'
      className={cx('login-wx__quick ui-btn ui-btn--l ui-btn--block', second ? 'ui-btn--secondary' : 'ui-btn--primary')}
      openType={wechatLogin.phoneButton}
      disabled={disabled}
      onGetPhoneNumber={({ detail }) => onPhone(detail.code, (detail as { errno?: number }).errno)}
      onAgreePrivacyAuthorization={() => undefined}
    >
      {children}
    </HostButton>
  )
}

/** Login with WeChat's number: one tap after agreeing, otherwise the agreement prompt's button is the host's. */
function QuickLoginButton({ quick, agreement }: { quick: QuickLogin; agreement: Agreement }) {
  const [sheetOpen, setSheetOpen] = useState(false)
  const { busy, member, onPhone } = quick
  const second = member !== undefined
  const agreeAndLogIn = (code: string | undefined, errno?: number) => {
    agreement.setAgreed(true)
    setSheetOpen(false)
    void onPhone(code, errno)
  }
  if (agreement.agreed)
    return (
      <PhoneButton second={second} disabled={busy} onPhone={(code, errno) => void onPhone(code, errno)}>
        {busy ? copy.submitting : copy.wxQuick}
      </PhoneButton>
    )
  return (
    <>
      <Button kind={second ? 'secondary' : 'primary'} size='l' block loading={busy} onClick={() => setSheetOpen(true)}>
        {copy.wxQuick}
      </Button>
      <AgreementPrompt
        open={sheetOpen}
        onClose={() => setSheetOpen(false)}
        yes={<PhoneButton onPhone={agreeAndLogIn}>{copy.agreeYes}</PhoneButton>}
      />
    </>
  )
}

function WechatForm({ redirect }: { redirect: string | undefined }) {
  const agreement = useAgreement()
  const quick = useQuickLogin(redirect, agreement.agreed)
  const { problem, busy, member, onMember } = quick
  return (
    <View className='login-wx'>
      {problem ? <Notice tone='warn' text={problem} /> : null}
      <View className='login-wx__act'>
        {member === undefined ? null : (
          <Button size='l' block loading={busy} onClick={() => agreement.attempt(() => void onMember())}>
            {copy.wxAs(member)}
          </Button>
        )}
        <QuickLoginButton quick={quick} agreement={agreement} />
        <Button kind='secondary' size='l' block onClick={() => void nav.to('loginWxSms', { redirect })}>
          {copy.wxOther}
        </Button>
        <Button kind='ghost' block onClick={() => void nav.home()}>
          {copy.wxSkip}
        </Button>
      </View>
      <LoginAgreement agreement={agreement} />
    </View>
  )
}

/** Login page of the mini-program: WeChat's number or another one. In a browser this path shows the h5 login. */
export function LoginWxScreen({ params }: ScreenProps<'loginWx'>) {
  if (!device.hasNativeLogin) return <LoginH5Screen params={params} />
  return (
    <View className='login'>
      <LoginHead redirect={params.redirect} title={copy.wxTitle} note={copy.why} />
      <WechatForm redirect={params.redirect} />
      <SafetyNote />
    </View>
  )
}
