import { ExcellentScreen } from '@/features/excellent/ExcellentScreen'
import { page } from '@/router/page'

export default page('reportHighQuality', ExcellentScreen)
