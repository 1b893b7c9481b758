import type { FormOffer } from '@/contract/types'

/** The form of 王者荣耀 as the server gives it. */
export const hokForm = require('../../server/fixtures/games/hok.json') as FormOffer

export { sampleGame as game } from '@/ui/gallery'
