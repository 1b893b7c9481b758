import { FeedbackScreen } from '@/features/account/FeedbackScreen'
import { page } from '@/router/page'

export default page('mineUserFeedback', FeedbackScreen)
