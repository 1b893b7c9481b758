import { LoginWxScreen } from '@/features/auth/LoginWxScreen'
import { page } from '@/router/page'

export default page('loginWx', LoginWxScreen)
