/**
 * The engine most phones use (exparser), with the official template compiler's output: it must show the same as
 * glass-easel. It runs in jsdom, without layout and without the app's scripts; the data is what these have set.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { JSDOM } from 'jsdom'
import type { ComponentJson } from './bundle'
import { dist, filesOf } from './dist'
import { officialCompiler } from './official-compiler'

/** The engine as j-component (WeChat's own tool for testing components) offers it. */
interface Engine {
  register(definition: object): string
  create(id: string): { attach(into: Element): void; detach(): void; instance: { setData(data: object): void } }
}

const components = 'view scroll-view page-container root-portal text rich-text button input textarea image web-view'

/** Which tags are components, in the compiler's format: files, and for each the number and names of its tags. */
function customTags(templates: string[]): string {
  const found = templates.flatMap((file) => {
    if (file === 'base.wxml') return []
    const json = require(path.join(dist, file.replace(/wxml$/, 'json'))) as ComponentJson
    const names = Object.keys(json.usingComponents ?? {})
    return names.length > 0 ? [[file, String(names.length), ...names]] : []
  })
  return [String(found.length), ...found.flat()].join(' ')
}

function compileTemplates(): (file: string) => unknown {
  const files = filesOf(dist).filter((f) => /\.(wxml|wxs)$/.test(f))
  const templates = files.filter((f) => f.endsWith('.wxml'))
  const args = ['-d', '-cc', customTags(templates), ...files, '-gn', '$gwx']
  const options = { cwd: dist, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const { status, stdout, stderr } = spawnSync(officialCompiler('wcc'), args, options)
  if (status !== 0) throw new Error(`wcc: ${stderr}`)
  // vm would run it with jest's globals, which have no window
  return new Function(`${stdout};return $gwx`)() as (file: string) => unknown
}

/** The engine binds to the page when it is loaded, once per process. */
function loadEngine(): Engine {
  const { window } = new JSDOM('<!doctype html><body></body>', { pretendToBeVisual: true })
  Object.assign(globalThis, { window, document: window.document, Node: window.Node })
  Object.assign(window, { __webview_engine_version__: 0.02 })
  return require('j-component') as Engine
}

export function startSecondEngine() {
  const engine = loadEngine()
  const template = compileTemplates()
  for (const name of components.split(' ')) engine.register({ id: name, tagName: `wx-${name}`, template: '<slot/>' })
  const usingComponents = { comp: 'comp' }
  const properties = { i: { type: Object, value: {} }, l: { type: String, value: '' } }
  const comp = { id: 'comp', tagName: 'comp', path: '/comp', template: template('comp.wxml') }
  engine.register({ ...comp, usingComponents, properties })
  let pages = 0

  return {
    /** All text of the page at `file` (without ending) once its data is `data`. */
    textOf(file: string, data: object): string {
      const definition = { tagName: 'page', path: `/${file}`, template: template(`${file}.wxml`) }
      const id = engine.register({ id: `page${++pages}`, ...definition, usingComponents, data: { root: { cn: [] } } })
      const page = engine.create(id)
      const host = document.createElement('div')
      document.body.append(host)
      page.attach(host)
      page.instance.setData(data)
      const text = host.textContent ?? ''
      page.detach()
      host.remove()
      return text
    },
  }
}
