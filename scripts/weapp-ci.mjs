/**
 * `npm run weapp:check|weapp:preview|weapp:upload`: WeChat's own tool (miniprogram-ci), installed separately in tools/weapp-ci
 * because it is 280 MB.
 * check: its findings in the build without a network, and the size of each package as uploaded
 * preview, upload: need WEAPP_KEY (the upload key of WeChat's console: text or path) and the real appid; the build must
 * be made for a real server. `--desc TEXT`, for an upload also `--version X`.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { officialApis } from '../test/weapp/build.ts'
import { builtFor } from '../test/weapp/dist.ts'
import { checkBuild } from '../test/weapp/static-checks/check-build.ts'
import { packageOf, readBuild } from '../test/weapp/static-checks/files.ts'
import { build } from './build.mjs'
import { fail, installApart, root, say } from './lib.mjs'

const folder = path.join(root, 'tools/weapp-ci')
const MB = 1024 * 1024
const PACKAGE_MAX = 2 * MB
const TOTAL_MAX = 30 * MB

/** The build is already ES5 and minified; a second pass breaks Taro's output. */
const done = ['JS_COMPRESS_OPEN', 'WXML_COMPRESS_OPEN', 'WXSS_COMPRESS_OPEN']
const setting = { es6: false, minify: false, autoPrefixWXSS: false }

const project = () => readFileSync(path.join(root, 'project.config.json'), 'utf8')

/** The tool, or undefined when it cannot be installed here. */
async function tool() {
  if (!(await installApart(folder, 'miniprogram-ci（280 MB，仅第一次）'))) return undefined
  return createRequire(path.join(folder, 'package.json'))('miniprogram-ci')
}

/** Our own checks run first because they are stricter. */
function printViolations(release) {
  const violations = checkBuild(readBuild(), project(), { apiBase: builtFor, official: officialApis(), release })
  for (const violation of violations) say(`  ✗ ${violation}`)
  return violations.length
}

function projectOf(ci, privateKey) {
  const options = { appid: JSON.parse(project()).appid, type: 'miniProgram', projectPath: root, privateKey }
  return new ci.Project({ ...options, ignores: ['node_modules/**/*'] })
}

/** Bytes of each package as uploaded. */
async function compiledBytes(ci, offline, dir) {
  const compiled = await ci.getCompiledResult({ project: offline, desc: '', setting }, path.join(dir, 'result.zip'))
  const bytes = {}
  for (const [file, content] of Object.entries(compiled)) {
    const size = Buffer.byteLength(content)
    bytes[packageOf(file)] = (bytes[packageOf(file)] ?? 0) + size
  }
  return bytes
}

async function official(ci) {
  // any key works as long as nothing is sent
  const offline = projectOf(ci, 'offline')
  offline.attr = async () => ({ ...ci.DefaultProjectAttr })
  const dir = mkdtempSync(path.join(tmpdir(), 'weapp-ci-'))
  // the tool leaves folders in the working directory
  process.chdir(dir)
  try {
    const quality = await ci.checkCodeQuality(offline, path.join(dir, 'quality.json'))
    const bad = quality.filter(({ name, success }) => !success && !done.includes(name))
    for (const { name, text, detail } of bad) say(`  ✗ ${name}: ${text} ${JSON.stringify(detail ?? '')}`)
    await ci.getSiteMapJSON(offline)
    const bytes = await compiledBytes(ci, offline, dir)
    say(`  ${JSON.stringify(bytes)} 字节`)
    const sizes = Object.values(bytes)
    const heavy = sizes.filter((n) => n > PACKAGE_MAX).length + (sizes.reduce((a, b) => a + b, 0) > TOTAL_MAX ? 1 : 0)
    if (heavy > 0) say('  ✗ 包太大：每个 2 MB，总共 30 MB')
    return bad.length + heavy
  } finally {
    process.chdir(root)
    rmSync(dir, { recursive: true, force: true })
  }
}

/**
 * @param ci miniprogram-ci
 * @param {string} what
 * @param {{ version?: string, desc?: string }} options
 */
async function send(ci, what, { version, desc = '' }) {
  const key = process.env.WEAPP_KEY ?? fail('请用 WEAPP_KEY 给出上传密钥（内容或文件路径）。')
  const target = projectOf(ci, existsSync(key) ? readFileSync(key, 'utf8') : key)
  if (what === 'upload') {
    if (!version) fail('请用 --version 给出版本号，例如 --version 2.0.4。')
    await ci.upload({ project: target, version, desc, setting })
    return say(`✓ 已上传 ${version}`)
  }
  mkdirSync(path.join(root, '.cache'), { recursive: true })
  const picture = path.join(root, '.cache/weapp-preview.jpg')
  await ci.preview({ project: target, desc, setting, qrcodeFormat: 'image', qrcodeOutputDest: picture })
  say(`✓ 预览二维码：${picture}`)
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { version: { type: 'string' }, desc: { type: 'string' } },
})
const [what = 'check'] = positionals
if (!['check', 'preview', 'upload'].includes(what)) fail(`不认识的命令 ${what}，可用：check preview upload。`)
if (!(await build('weapp'))) process.exit(1)
const release = what !== 'check'
if (printViolations(release) > 0) fail('小程序检查未通过，原因见上方。')
const ci = await tool()
if (!ci && release) fail('没能安装 miniprogram-ci：请检查网络或 npm 源后重试。')
if (!ci) say('! 没能安装 miniprogram-ci（npm 源不可达），官方离线检查这次没有运行。')
else if ((await official(ci)) > 0) fail('官方检查未通过，原因见上方。')
if (ci && release) await send(ci, what, values)
say('✓ 小程序检查通过')
process.exit(0)
