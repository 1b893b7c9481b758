import { NewsDetailScreen } from '@/features/content/NewsDetailScreen'
import { page } from '@/router/page'

export default page('newsDetail', NewsDetailScreen)
