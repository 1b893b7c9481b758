import { RealNameScreen } from '@/features/user/RealNameScreen'
import { page } from '@/router/page'

export default page('mineRealName', RealNameScreen)
