/** Tools the tests need besides npm packages: Chromium, a CJK font, PostgreSQL, PgBouncer, Redis. Found, or installed where possible. */
import { existsSync, readdirSync } from 'node:fs'
import { fail, run, which } from './lib.mjs'

const pgDirs = () =>
  existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').map((v) => `/usr/lib/postgresql/${v}/bin`) : []

/** The full browser, which can display a PDF. */
export const findChromium = () =>
  process.env.CHROME_PATH ?? which('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
const HEADLESS = 'chromium-headless-shell'
/** The headless shell if installed, which needs a quarter less CPU time. */
export const findHeadless = () => process.env.CHROME_PATH ?? which(HEADLESS) ?? findChromium()
export const findPostgres = () => {
  const pgCtl = which('pg_ctl')
  return pgCtl ? pgCtl.replace(/\/pg_ctl$/, '') : pgDirs().find((d) => existsSync(`${d}/pg_ctl`))
}
/** Debian installs it to a folder that is only in root's PATH. */
export const findPgBouncer = () => which('pgbouncer', '/usr/sbin/pgbouncer')
export const findRedis = () => which('redis-server', 'valkey-server')
async function hasChineseFont() {
  if (!which('fc-list')) return false
  return (await run('', 'fc-list', [':lang=zh', 'family'], { quiet: true })).out.trim() !== ''
}

const canInstall = () => process.getuid?.() === 0 && which('apt-get') !== undefined
const APT_ENV = { DEBIAN_FRONTEND: 'noninteractive' }
const updateLists = () => run('更新软件包列表', 'apt-get', ['update', '-qq'], { quiet: true, env: APT_ENV })

/** @returns whether apt installed the packages; run `updateLists` first */
async function install(packages) {
  // another apt process may be running
  const args = ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', '--no-install-recommends', ...packages]
  return (await run(`安装 ${packages.join(' ')}`, 'apt-get', args, { quiet: true, env: APT_ENV })).code === 0
}

/** Installs missing tools with apt if run as root; otherwise prints what to install. */
export async function ensureTools() {
  const missing = []
  if (!findChromium()) missing.push('chromium')
  if (!(await hasChineseFont())) missing.push('fontconfig', 'fonts-noto-cjk')
  if (!findPostgres()) missing.push('postgresql')
  if (!findPgBouncer()) missing.push('pgbouncer')
  if (!findRedis()) missing.push('redis-server')
  const faster = canInstall() && findHeadless() === findChromium() && !process.env.CHROME_PATH
  if (missing.length === 0 && !faster) return
  if (!canInstall())
    fail(
      `测试还需要：${missing.join(' ')}。请先安装（例如 sudo apt-get install ${missing.join(' ')}），或用 CHROME_PATH 指明浏览器。`,
    )
  await updateLists()
  // not available in every distribution; the full browser works as well
  if (faster) await install([HEADLESS])
  if (missing.length > 0 && !(await install(missing))) fail(`没能装上 ${missing.join(' ')}，请手动安装后重试。`)
}

const R_PACKAGES = 'ggplot2 aer caret modeldata spdata randomforest mass cardata rpart foreign laeken bayesm'.split(' ')

/** Installs R and the packages that contain the public price tables (bench/public/README.md). */
export async function ensureR() {
  const packages = ['r-base-core', ...R_PACKAGES.map((name) => `r-cran-${name}`)]
  if (!canInstall()) fail(`公开数据来自 R 的软件包，请先安装：sudo apt-get install ${packages.join(' ')}`)
  await updateLists()
  if (!(await install(packages))) fail(`没能装上 ${packages.join(' ')}，请手动安装后重试。`)
}
