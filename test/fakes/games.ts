import type { PrefilledForm } from '@/contract/types'

/** The form of 王者荣耀 as returned by the server. */
export const hokForm = require('../../server/fixtures/games/hok.json') as PrefilledForm
