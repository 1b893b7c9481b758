import { DeleteAccountCell } from '@/features/auth/DeleteAccountCell'
import { MobileCell } from '@/features/auth/MobileCell'
import { SettingScreen } from '@/features/mine/SettingScreen'
import { page } from '@/router/page'

export default page('mineSetting', () => (
  <SettingScreen
    mobileCell={(user, onChanged) => <MobileCell {...{ user, onChanged }} />}
    off={<DeleteAccountCell />}
  />
))
