import { ErasureCell } from '@/features/auth/ErasureCell'
import { SettingScreen } from '@/features/mine/SettingScreen'
import { page } from '@/router/page'

export default page('mineSetting', () => <SettingScreen off={<ErasureCell />} />)
