import { ReadScreen } from '@/features/evaluation/read/ReadScreen'
import { page } from '@/router/page'

export default page('evaluationFillInInfoRpaWebview', ReadScreen)
