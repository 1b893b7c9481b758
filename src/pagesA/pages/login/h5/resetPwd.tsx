import { ResetPwdScreen } from '@/features/auth/ResetPwdScreen'
import { page } from '@/router/page'

export default page('loginH5ResetPwd', ResetPwdScreen)
