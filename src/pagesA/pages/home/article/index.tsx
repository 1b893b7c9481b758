import { documentKeyText } from '@/contract/labels'
import { ArticleScreen } from '@/features/content/ArticleScreen'
import { isKey } from '@/features/content/copy'
import { page } from '@/router/page'

export default page('article', ArticleScreen, { titleOf: ({ key }) => (isKey(key) ? documentKeyText[key] : undefined) })
