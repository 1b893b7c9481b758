/** A Taro hello world with React and Taro's default settings (bench/hello-world), which home's start is compared with. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { bin, root, run } from './lib.mjs'

/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' }

/** Builds it and serves it from memory, compressed like the product's files. @throws Error when it cannot be built */
export async function serveHelloWorld() {
  const { code } = await run('构建 bench/hello-world', bin('taro'), ['build', '--type', 'h5', '--no-check'], {
    ...{ quiet: true, cwd: path.join(root, 'bench/hello-world'), env: { NODE_ENV: 'production' } },
  })
  if (code !== 0) throw new Error('bench/hello-world was not built')
  const dir = path.join(root, 'dist/hello-world')
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => path.extname(name) in TYPES)
  const answers = new Map(
    files.map((name) => [
      `/${name === 'index.html' ? '' : name}`,
      { type: TYPES[path.extname(name)] ?? '', body: brotliCompressSync(readFileSync(path.join(dir, name))) },
    ]),
  )
  const site = createServer((req, res) => {
    const answer = answers.get(req.url ?? '')
    if (!answer) res.writeHead(404).end()
    else res.writeHead(200, { 'content-type': answer.type, 'content-encoding': 'br' }).end(answer.body)
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (site.address())
  return { url: `http://127.0.0.1:${port}/`, stop: () => site.close() }
}
