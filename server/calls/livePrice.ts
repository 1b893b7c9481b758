import { previewPrice } from '../domains/valuations/preview'
import type { Handlers } from './handlers'

export const livePriceHandlers: Handlers<'livePrice'> = { preview: previewPrice }
