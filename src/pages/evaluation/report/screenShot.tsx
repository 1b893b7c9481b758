import { PictureScreen } from '@/features/keep/PictureScreen'
import { page } from '@/router/page'

export default page('reportScreenShot', PictureScreen)
