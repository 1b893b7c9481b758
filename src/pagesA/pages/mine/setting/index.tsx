import { LoginOffCell } from '@/features/auth/LoginOffCell'
import { SettingScreen } from '@/features/mine/SettingScreen'
import { page } from '@/router/page'

export default page('mineSetting', () => <SettingScreen off={<LoginOffCell />} />)
