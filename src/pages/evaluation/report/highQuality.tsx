import { FeaturedReportsScreen } from '@/features/featured-reports/FeaturedReportsScreen'
import { page } from '@/router/page'

export default page('reportHighQuality', FeaturedReportsScreen)
