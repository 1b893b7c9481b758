/**
 * All schemas by group and call, parallel to `calls.ts`. For the server and for types; the app never imports it at run
 * time.
 */
import { app } from './app'
import { chat } from './chat'
import { coupon } from './coupon'
import { dataExport } from './dataExport'
import { evaluation } from './evaluation'
import { market } from './market'
import { pay } from './pay'
import { pricePreview } from './pricePreview'
import { sale } from './sale'
import { screenshot } from './screenshot'
import { user } from './user'

export const schemas = { user, evaluation, app, coupon, pay, chat, dataExport, screenshot, pricePreview, market, sale }
