import { DeleteAccountCell } from '@/features/auth/DeleteAccountCell'
import { SettingScreen } from '@/features/mine/SettingScreen'
import { page } from '@/router/page'

export default page('mineSetting', () => <SettingScreen off={<DeleteAccountCell />} />)
