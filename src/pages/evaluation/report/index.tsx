import { ReportScreen } from '@/features/report/ReportScreen'
import { page } from '@/router/page'

export default page('report', ReportScreen, { wide: true })
