import { RealNameResultScreen } from '@/features/account/RealNameResultScreen'
import { page } from '@/router/page'

export default page('mineRealNameResult', RealNameResultScreen)
