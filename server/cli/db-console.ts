/**
 * `npm run db:console`: SQL on the configured database. PostgreSQL gets psql; the embedded engine, which no other
 * program can open, a built-in console with two of psql's commands. Statements can also be piped in: exit code 1 if one
 * failed.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { PGlite } from '@electric-sql/pglite'
import { reasonOf, StartError } from '../core/start-error'
import { openDatabase } from '../db/database'
import { parseSettings } from '../settings'
import { runMain } from './command'

const HELP = '语句以 ; 结尾；\\d 列出表，\\d 表名 列出列，\\q 退出'

const TABLES = `select table_name as "table" from information_schema.tables where table_schema = 'public' order by 1`
const COLUMNS = `select column_name as "column", data_type as type, is_nullable as nullable, column_default as "default"
  from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position`

/** The password is passed in the environment: arguments are visible to every user of the machine. */
function openPsql(databaseUrl: string): Promise<number> {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...(password !== '' && { PGPASSWORD: password }) }
    // Ctrl-C cancels a statement in psql, not this process
    process.on('SIGINT', () => undefined)
    spawn('psql', [url.href], { stdio: 'inherit', env })
      .once('error', () => reject(new StartError('没有找到 psql：请安装 PostgreSQL 客户端。')))
      .once('close', (code) => resolve(code ?? 1))
  })
}

async function answer(pglite: PGlite, statement: string): Promise<void> {
  const describe = /^\\d\s*(\w*)$/.exec(statement)
  const results = describe
    ? [describe[1] ? await pglite.query(COLUMNS, [describe[1]]) : await pglite.query(TABLES)]
    : await pglite.exec(statement)
  for (const { fields, rows, affectedRows = 0 } of results) {
    if (rows.length > 0) console.table(rows)
    console.log(fields.length > 0 ? `(${rows.length})` : `✓ ${affectedRows}`)
  }
}

/** Reads lines until one ends in `;`, or a command. @returns whether every statement succeeded */
async function converse(pglite: PGlite): Promise<boolean> {
  const isPerson = process.stdin.isTTY === true
  const lines = createInterface({
    input: process.stdin,
    output: isPerson ? process.stdout : undefined,
    prompt: 'sql> ',
  })
  const prompt = () => isPerson && lines.prompt()
  let statement = ''
  let ok = true
  const end = async () => {
    const input = statement.trim()
    statement = ''
    if (input === '') return
    await answer(pglite, input).catch((e) => {
      ok = false
      console.error(`✗ ${reasonOf(e)}`)
    })
  }
  if (isPerson) console.log(HELP)
  prompt()
  for await (const line of lines) {
    if (statement === '' && line.trim() === '\\q') break
    statement += `${line}\n`
    if (/;\s*$/.test(line) || statement.startsWith('\\')) await end()
    prompt()
  }
  await end()
  return ok
}

async function openEmbedded(dataDir: string): Promise<number> {
  if (!existsSync(path.join(dataDir, 'postgres')))
    throw new StartError(`数据目录 ${dataDir} 中没有数据库（DATA_DIR）：先启动一次服务，或执行 npm run db:reset。`)
  const { pglite, close } = await openDatabase({ dataDir, databaseUrl: undefined })
  try {
    return pglite && (await converse(pglite)) ? 0 : 1
  } finally {
    await close()
  }
}

runMain(async () => {
  const { databaseUrl, dataDir } = parseSettings(process.env)
  process.exitCode = databaseUrl ? await openPsql(databaseUrl) : await openEmbedded(dataDir)
})
