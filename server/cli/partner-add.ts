/**
 * `npm run partner:add -- NAME`: creates a partner of the sales feed (docs/partners.md) and prints its key and secret
 * once, as one line of JSON.
 */

import { createEncryption } from '../core/encryption'
import { addPartner } from '../domains/market/partners/partners'
import { parseSettings } from '../settings'
import { argumentsOf } from './command'
import { runTool } from './tool'

const read = () => argumentsOf('用法：npm run partner:add -- 合作方名称', {}, { min: 1, max: 1 }).positionals

runTool(async (db, [name = '']) => {
  const encryption = createEncryption(parseSettings(process.env).identityKeys)
  const made = await db.transaction().execute((tx) => addPartner(tx, encryption, name, Date.now()))
  console.error('✓ 密钥只显示这一次，请妥善交给合作方：')
  console.log(JSON.stringify(made))
}, read)
