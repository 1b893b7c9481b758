import { RecordsScreen } from '@/features/orders/RecordsScreen'
import { page } from '@/router/page'

export default page('mineEvaluationRecords', RecordsScreen, { wide: true })
