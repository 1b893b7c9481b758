import { AccountDeletionCell } from '@/features/auth/AccountDeletionCell'
import { SettingScreen } from '@/features/mine/SettingScreen'
import { page } from '@/router/page'

export default page('mineSetting', () => <SettingScreen off={<AccountDeletionCell />} />)
