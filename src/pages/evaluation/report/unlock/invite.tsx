import { InviteScreen } from '@/features/unlock/InviteScreen'
import { page } from '@/router/page'

export default page('reportUnlockInvite', InviteScreen)
