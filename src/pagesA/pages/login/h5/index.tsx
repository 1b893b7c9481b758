import { LoginH5Screen } from '@/features/auth/LoginH5Screen'
import { page } from '@/router/page'

export default page('loginH5', LoginH5Screen)
