import { IosAppScreen } from '@/features/ios-app/IosAppScreen'
import { page } from '@/router/page'

export default page('iosApp', IosAppScreen)
