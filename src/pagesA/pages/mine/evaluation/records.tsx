import { RecordsScreen } from '@/features/mine/RecordsScreen'
import { page } from '@/router/page'

export default page('mineEvaluationRecords', RecordsScreen)
