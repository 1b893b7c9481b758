import { WebScreen, webTitle } from '@/features/web/WebScreen'
import { page } from '@/router/page'

export default page('webview', WebScreen, { titleOf: webTitle })
