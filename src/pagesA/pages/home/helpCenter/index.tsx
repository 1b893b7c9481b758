import { HelpScreen } from '@/features/content/HelpScreen'
import { page } from '@/router/page'

export default page('helpCenter', HelpScreen)
