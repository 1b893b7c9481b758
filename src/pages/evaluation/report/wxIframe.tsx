import { EmbedScreen } from '@/features/report/EmbedScreen'
import { page } from '@/router/page'

export default page('reportWxIframe', EmbedScreen, { title: null })
