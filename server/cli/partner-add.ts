/**
 * `npm run partner:add -- NAME`: creates a partner of the sales feed (docs/partners.md) and prints its key and secret
 * once, as one line of JSON.
 */
import { AppError } from '../app-error'
import { addPartner } from '../domains/market/partners/partners'
import { createEncryption } from '../encryption'
import { parseSettings } from '../settings'
import { StartError } from '../start-error'
import { argumentsOf, runTool } from './tool'

function read(): string {
  const { words } = argumentsOf([])
  const [name, ...rest] = words
  if (name === undefined || rest.length > 0) throw new StartError('用法：npm run partner:add -- 合作方名称')
  return name
}

runTool(async (db, name) => {
  try {
    const made = await addPartner(db, createEncryption(parseSettings(process.env).identityKeys), name, Date.now())
    console.error('✓ 密钥只显示这一次，请妥善交给合作方：')
    console.log(JSON.stringify(made))
  } catch (e) {
    throw e instanceof AppError ? new StartError(`${e.detail}。`) : e
  }
}, read)
