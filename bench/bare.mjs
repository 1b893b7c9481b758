/** The least a server can do for the same read: fastify, one indexed query, JSON. No signature, schema, limits or logs. */
import { PGlite } from '@electric-sql/pglite'
import fastify from 'fastify'

const rows = JSON.parse(process.env.ROWS ?? '[]')
const db = await PGlite.create()
await db.exec('create table games (game_id text primary key, body jsonb not null, sort int not null)')
for (const [i, row] of rows.entries())
  await db.query('insert into games values ($1, $2, $3)', [row.gameId, JSON.stringify(row), i])

const app = fastify()
app.get('/', async () => {
  const found = await db.query('select body from games order by sort')
  return { success: true, msg: '', data: found.rows.map((r) => r.body), code: 'OK' }
})
process.send(await app.listen({ port: 0, host: '127.0.0.1' }))
process.on('disconnect', () => process.exit(0))
