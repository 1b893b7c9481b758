import { PasswordScreen } from '@/features/auth/PasswordScreen'
import { page } from '@/router/page'

export default page('mineSettingPassword', PasswordScreen)
