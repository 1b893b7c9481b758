import { ChatScreen } from '@/features/chat/ChatScreen'
import { page } from '@/router/page'

export default page('chat', ChatScreen)
