import { WebScreen } from '@/features/web/WebScreen'
import { page } from '@/router/page'

export default page('webview', WebScreen, { titleOf: ({ title }) => title })
