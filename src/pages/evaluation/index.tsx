import { EvaluationScreen } from '@/features/evaluation/EvaluationScreen'
import { page } from '@/router/page'

export default page('evaluation', EvaluationScreen)
