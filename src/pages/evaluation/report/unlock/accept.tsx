import { AcceptScreen } from '@/features/unlock/AcceptScreen'
import { page } from '@/router/page'

export default page('reportUnlockAccept', AcceptScreen)
