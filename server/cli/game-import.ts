/** `npm run game:import -- FILE.json`: adds or updates a game by its form config, without code. */
import { readFileSync } from 'node:fs'
import type { FormConfig } from '@/contract/form/types'
import { reasonOf, StartError } from '../core/start-error'
import { findConfigIssues } from '../domains/games/import/config-issues'
import { saveGame } from '../domains/games/import/game'
import { argumentsOf } from './command'
import { configOf, retrain, runTool } from './tool'

function readConfig(): FormConfig {
  const [file = ''] = argumentsOf('用法：npm run game:import -- 文件.json', {}, { min: 1, max: 1 }).positionals
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (e) {
    throw new StartError(`文件 ${file} 无法读取或不是 JSON：${reasonOf(e)}。`)
  }
  const issues = findConfigIssues(value)
  if (issues.length > 0) throw new StartError(`${file} 不是可用的游戏配置：\n  ${issues.join('\n  ')}`)
  return value as FormConfig
}

const words = { added: '已添加', changed: '已更新', same: '没有变化' } as const

runTool(async (db, given) => {
  // a shipped game not yet in the database first gets its labelled generated sales, then the update
  await configOf(db, given.gameId)
  const { done, config } = await db.transaction().execute((tx) => saveGame(tx, given, Date.now()))
  console.log(
    `✓ ${config.name}（${config.gameId}）${words[done]}，表单版本 ${config.schemaVersion}，${config.fields.length} 个字段`,
  )
  if (done !== 'same') await retrain(db, config)
}, readConfig)
