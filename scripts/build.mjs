/** `npm run build[:h5|:weapp|:server]`: production builds to dist/<target>; skipped if no source has changed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { bin, buildKey, ensureInstalled, fail, isBuilt, isMade, markBuilt, root, run, say, targets } from './lib.mjs'

function compress(dir) {
  for (const name of readdirSync(dir)) {
    const file = path.join(dir, name)
    if (statSync(file).isDirectory()) compress(file)
    else if (/\.(js|css|svg|json)$/.test(name) && statSync(file).size > 600) {
      const body = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }))
    }
  }
}

/** Atomic: the folder is renamed into place when every file is in it. */
async function buildServer(out, key) {
  const started = Date.now()
  const { compileServer, programs } = await import('./compile-server.mjs')
  const files = await compileServer(out, programs()).catch((e) => {
    say(`✗ server 构建失败：${e.message}`)
  })
  if (!files) return false
  const fresh = `${out}.new-${process.pid}`
  mkdirSync(fresh, { recursive: true })
  for (const { path: file, contents } of files) writeFileSync(path.join(fresh, path.basename(file)), contents)
  rmSync(out, { recursive: true, force: true })
  renameSync(fresh, out)
  markBuilt('server', key)
  say(`▸ 构建 server ✓ ${((Date.now() - started) / 1000).toFixed(1)} s`)
  return true
}

/** Builds one target if its sources have changed. `force` always builds. @returns whether it succeeded */
export async function build(target, { force = false } = {}) {
  if (!force && isBuilt(target)) {
    say(`▸ dist/${target} 已是最新`)
    return true
  }
  const out = path.join(root, 'dist', target)
  const key = buildKey(target)
  // Webpack's cache serves the next build; in a clone that is built once, writing it would be a fifth of the work.
  const isFirst = !existsSync(out)
  if (target === 'server') return buildServer(out, key)
  rmSync(out, { recursive: true, force: true })
  const { code, out: log } = await run(`构建 ${target}`, bin('taro'), ['build', '--type', target, '--no-check'], {
    quiet: true,
    env: { NODE_ENV: 'production', ...(isFirst && { TARO_CACHE: '0' }) },
  })
  // Taro exits with 0 even if webpack or its configuration failed, so the output is checked
  if (code !== 0 || !isMade(target) || /Compiled with errors|✖|Module not found/.test(log)) {
    if (code === 0) process.stderr.write(log)
    say(`✗ ${target} 构建失败，原因见上方输出。`)
    return false
  }
  if (target === 'h5') {
    const { buildWorker } = await import('./worker.mjs')
    await buildWorker(out)
    compress(out)
  }
  markBuilt(target, key)
  return true
}

if (import.meta.url === `file://${process.argv[1]}`) {
  await ensureInstalled()
  for (const target of process.argv.slice(2)) {
    if (!targets.includes(target)) fail(`不认识的构建目标 ${target}，可用：${targets.join(' ')}。`)
    if (!(await build(target, { force: process.env.FORCE === '1' }))) process.exit(1)
  }
}
