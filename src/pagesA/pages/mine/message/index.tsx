import { MessagesScreen } from '@/features/account/MessagesScreen'
import { page } from '@/router/page'

export default page('mineMessage', MessagesScreen)
