import { NewsScreen } from '@/features/content/NewsScreen'
import { page } from '@/router/page'

export default page('news', NewsScreen)
