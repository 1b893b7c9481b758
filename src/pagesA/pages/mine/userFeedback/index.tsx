import { FeedbackScreen } from '@/features/user/FeedbackScreen'
import { page } from '@/router/page'

export default page('mineUserFeedback', FeedbackScreen)
