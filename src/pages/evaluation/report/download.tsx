import { DownloadScreen } from '@/features/report-export/DownloadScreen'
import { page } from '@/router/page'

export default page('reportDownload', DownloadScreen)
