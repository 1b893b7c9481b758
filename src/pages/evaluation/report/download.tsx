import { DownloadScreen } from '@/features/keep/DownloadScreen'
import { page } from '@/router/page'

export default page('reportDownload', DownloadScreen)
