import { MessagesScreen } from '@/features/user/MessagesScreen'
import { page } from '@/router/page'

export default page('mineMessage', MessagesScreen)
