/**
 * The least a server can do for a read from PostgreSQL: fastify, one select by an index, JSON. No signature, login,
 * schema, limits or logs. Settings: DATABASE_URL, DB_POOL_SIZE.
 */
import fastify from 'fastify'
import pg from 'pg'

pg.types.setTypeParser(20, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.DB_POOL_SIZE ?? 10) })
const app = fastify()

const route = (path, text, data) =>
  app.get(path, async ({ query }) => {
    const { rows } = await pool.query(text, [/** @type {{ id: string }} */ (query).id])
    return { success: true, msg: '', data: data(rows), code: 'OK' }
  })
route('/user', 'select * from users where id = $1', ([row]) => row)
route('/report', 'select * from reports where order_id = $1', ([row]) => row)
route('/orders', 'select * from orders where user_id = $1 order by created_at desc limit 10', (rows) => rows)

process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }))
process.on('disconnect', () => process.exit(0))
