import { SoonScreen } from '@/features/soon/SoonScreen'
import { page } from '@/router/page'

export default page('chat', SoonScreen)
