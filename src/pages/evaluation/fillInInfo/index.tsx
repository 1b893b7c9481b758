import { FillScreen } from '@/features/evaluation/FillScreen'
import { page } from '@/router/page'

export default page('evaluationFillInInfo', FillScreen, { wide: true })
