import { RealNameResultScreen } from '@/features/user/RealNameResultScreen'
import { page } from '@/router/page'

export default page('mineRealNameResult', RealNameResultScreen)
