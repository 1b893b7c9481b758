import { PasswordScreen } from '@/features/auth/PasswordScreen'
import { page } from '@/router/page'

export default page('mineSettingPassword', PasswordScreen, { titleOf: ({ first }) => (first ? '设置密码' : undefined) })
