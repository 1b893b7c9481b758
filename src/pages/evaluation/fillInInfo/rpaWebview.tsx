import { CollectionScreen } from '@/features/evaluation/collection/CollectionScreen'
import { page } from '@/router/page'

export default page('evaluationFillInInfoRpaWebview', CollectionScreen)
