/** Builds the service worker of the h5 app (src/sw) into one file, with the names of the files it precaches. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { transformSync } from '@swc/core'
import webpack from 'webpack'
import { root } from './lib.mjs'

/** Strips TypeScript, keeping module names. */
function compile(into) {
  const from = path.join(root, 'src/sw')
  mkdirSync(into, { recursive: true })
  for (const name of readdirSync(from).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))) {
    const { code } = transformSync(readFileSync(path.join(from, name), 'utf8'), {
      jsc: { target: 'es2017', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    })
    writeFileSync(path.join(into, name.replace(/\.ts$/, '.js')), code)
  }
}

const pack = (config) =>
  new Promise((resolve, reject) => {
    webpack(config, (error, stats) => {
      if (error) reject(error)
      else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')))
      else resolve(undefined)
    })
  })

/** @param out the folder of the built app, in which offline.json lists the files its pages need */
export async function buildWorker(out) {
  const into = path.join(root, '.cache/sw')
  compile(into)
  const html = readFileSync(path.join(out, 'index.html'))
  const revision = createHash('sha256').update(html).digest('hex').slice(0, 16)
  const files = JSON.parse(readFileSync(path.join(out, 'offline.json'), 'utf8'))
  const elsewhere = files.find((url) => !url.startsWith('/'))
  const manifest = [{ url: '/index.html', revision }, ...files.map((url) => ({ url, revision: null }))]
  await pack({
    mode: 'production',
    target: ['webworker', 'es2017'],
    context: root,
    entry: path.join(into, 'worker.js'),
    output: { path: out, filename: 'sw.js' },
    resolve: { modules: [path.join(root, 'node_modules')] },
    plugins: [
      new webpack.DefinePlugin({
        MANIFEST: JSON.stringify(manifest),
        VERSION: JSON.stringify(revision),
        ASSET_ORIGIN: JSON.stringify(elsewhere ? new URL(elsewhere).origin : ''),
        'process.env.NODE_ENV': '"production"',
      }),
    ],
  })
}
