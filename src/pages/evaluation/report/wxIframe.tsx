import { EmbedScreen, isEmbedded } from '@/features/report/EmbedScreen'
import { page } from '@/router/page'

export default page('reportWxIframe', EmbedScreen, { bare: isEmbedded, wide: true })
