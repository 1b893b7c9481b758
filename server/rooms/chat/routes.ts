import type { Handlers } from '../handlers'
import { readMessages } from './read'
import { sendMessage } from './send'

export const chatHandlers: Handlers<'chat'> = { messages: readMessages, send: sendMessage }
