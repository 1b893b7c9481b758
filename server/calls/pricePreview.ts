import { previewPrice } from '../domains/valuations/preview'
import type { Handlers } from './handlers'

export const pricePreviewHandlers: Handlers<'pricePreview'> = { preview: previewPrice }
