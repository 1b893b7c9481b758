import { readMessages } from '../domains/chat/read'
import { sendMessage } from '../domains/chat/send'
import type { Handlers } from './handlers'

export const chatHandlers: Handlers<'chat'> = { messages: readMessages, send: sendMessage }
