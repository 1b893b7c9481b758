import { LoginSmsScreen } from '@/features/auth/LoginSmsScreen'
import { page } from '@/router/page'

export default page('loginWxSms', LoginSmsScreen)
