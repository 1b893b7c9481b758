import { RealNameScreen } from '@/features/account/RealNameScreen'
import { page } from '@/router/page'

export default page('mineRealName', RealNameScreen)
