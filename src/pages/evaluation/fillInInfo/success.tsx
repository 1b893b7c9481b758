import { SuccessScreen } from '@/features/evaluation/SuccessScreen'
import { page } from '@/router/page'

export default page('evaluationFillInInfoSuccess', SuccessScreen)
