import { GuidelinesScreen } from '@/features/content/GuidelinesScreen'
import { page } from '@/router/page'

export default page('listingGuidelines', GuidelinesScreen)
