/** project.config.json: what WeChat DevTools and the uploader read beside the build. */
import type { Violation } from './files'

interface Project {
  miniprogramRoot?: string
  appid?: string
  compileType?: string
  libVersion?: string
  setting?: Record<string, boolean | undefined>
}

/** minimum base library that has the functions the app uses */
const MIN_LIB_VERSION = [3, 0, 0]

const atLeast = (version: string) => {
  const parts = version.split('.').map(Number)
  for (const [i, least] of MIN_LIB_VERSION.entries()) if ((parts[i] ?? 0) !== least) return (parts[i] ?? 0) > least
  return true
}

/** @param text the file's content; `release`: about to be uploaded */
export function projectViolations(text: string, release = false): Violation[] {
  const say = (what: string) => `project.config.json: ${what}`
  let project: Project
  try {
    project = JSON.parse(text) as Project
  } catch {
    return [say('not JSON')]
  }
  const { miniprogramRoot, appid = '', compileType, libVersion = '', setting = {} } = project
  const found: string[] = []
  if (miniprogramRoot !== 'dist/weapp/') found.push(say('miniprogramRoot is not dist/weapp/'))
  if (!/^(wx[0-9a-f]{16}|touristappid)$/.test(appid)) found.push(say(`appid ${appid}`))
  if (release && appid === 'touristappid') found.push(say('the appid of a visitor cannot upload'))
  if (compileType !== 'miniprogram') found.push(say(`compileType ${compileType}`))
  if (!atLeast(libVersion)) found.push(say(`libVersion ${libVersion} is too old`))
  if (setting.urlCheck !== true) found.push(say('urlCheck is off: unregistered domains would only fail on phones'))
  // the build is already ES5 and minified; doing either again breaks Taro's output
  for (const name of ['es6', 'enhance', 'minified', 'postcss'])
    if (setting[name] !== false) found.push(say(`${name} is on, the build has done it already`))
  return found
}
