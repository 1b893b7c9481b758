import { ArticleScreen } from '@/features/content/ArticleScreen'
import { page } from '@/router/page'

export default page('article', ArticleScreen)
