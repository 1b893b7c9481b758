import { EvaluateScreen } from '@/features/orders/EvaluateScreen'
import { page } from '@/router/page'

export default page('mineEvaluationEvaluate', EvaluateScreen)
