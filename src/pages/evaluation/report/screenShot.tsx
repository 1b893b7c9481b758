import { ReportImageScreen } from '@/features/report-export/ReportImageScreen'
import { page } from '@/router/page'

export default page('reportScreenShot', ReportImageScreen)
