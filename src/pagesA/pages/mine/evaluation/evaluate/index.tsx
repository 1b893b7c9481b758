import { ReviewScreen } from '@/features/reviews/ReviewScreen'
import { page } from '@/router/page'

export default page('mineEvaluationEvaluate', ReviewScreen)
