/** Turns the built mini-program into what the runtime in the browser executes, with the official compilers. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import vm from 'node:vm'
import { TmplGroup } from 'glass-easel-template-compiler'
import ts from 'typescript'
import type { AppJson, Bundle, Compiled, ComponentJson } from './bundle'
import { dist, filesOf } from './dist'
import { officialCompiler } from './official-compiler'

/** Tags of the template language itself; everything else is a component. */
const control = new Set(['template', 'import', 'include', 'block', 'wxs', 'slot'])

const stem = (file: string) => file.replace(/\.\w+$/, '')

type Tags = Map<string, Set<string>>

/** `<view` → `<wx-view`, which is also what the official style compiler does to its selectors. Notes tags and attributes. */
function renameTags(wxml: string, own: ReadonlySet<string>, seen: Tags): string {
  return wxml.replace(
    /<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)/g,
    (whole, slash: string, tag: string, rest: string) => {
      if (control.has(tag) || own.has(tag)) return whole
      const attributes = seen.get(`wx-${tag}`) ?? new Set()
      seen.set(`wx-${tag}`, attributes)
      for (const [, name = ''] of rest.replace(/"[^"]*"/g, '').matchAll(/([\w:-]+)/g))
        if (!/^(bind|catch|mark:|data-|wx:|style$|class$|id$|slot$)/.test(name)) attributes.add(name)
      return `<${slash}wx-${tag}${rest}`
    },
  )
}

/** Compiles every wxml and wxs. @returns one JavaScript expression: path → template */
function compileTemplates(files: Map<string, string>, own: ReadonlySet<string>, seen: Tags): string {
  const group = new TmplGroup()
  for (const [file, text] of files) {
    if (file.endsWith('.wxs')) group.addScript(stem(file), text)
    if (!file.endsWith('.wxml')) continue
    const found: unknown[] = group.addTmpl(stem(file), renameTags(text, own, seen))
    if (found.length > 0) throw new Error(`${file}: ${found.map(String).join('; ')}`)
  }
  const code = group.getTmplGenObjectGroups()
  group.free()
  return code
}

/** px of the notch and the home indicator (the phone of runtime/wx/device.ts) */
const insets: Record<string, number> = { top: 47, bottom: 34 }

/** The official compiler's output is a script that builds the CSS in the page; its own hook hands us the text instead. */
function runStyleScript(script: string, width: number): string {
  const out: string[] = []
  const window = {
    screen: { width, height: 812 },
    devicePixelRatio: 2,
    __styleSheetManager2__: { addItem: () => undefined, setCss: (_key: string, css: string) => out.push(css) },
  }
  // a stray printf placeholder left by the compiler
  const source = script.replace('\n%s\n', '\n')
  vm.runInNewContext(source, { window, navigator: { userAgent: 'iPhone' }, console })
  return out.join('\n').replace(/env\(safe-area-inset-(\w+)[^)]*\)/g, (_, side: string) => `${insets[side] ?? 0}px`)
}

export type ChangeText = (file: string, text: string) => string

/** Compiled style sheets by the text of all sheets: most builds under test differ in other files. */
const knownStyles = new Map<string, Record<string, string>>()

function compileStyles(names: string[], width: number, read: (file: string) => string): Record<string, string> {
  const sheets = names.filter((f) => f.endsWith('.wxss'))
  const texts = sheets.map(read)
  const key = JSON.stringify([width, texts])
  const known = knownStyles.get(key)
  if (known) return known
  const dir = mkdtempSync(path.join(tmpdir(), 'weapp-styles-'))
  try {
    for (const [i, file] of sheets.entries()) {
      mkdirSync(path.dirname(path.join(dir, file)), { recursive: true })
      writeFileSync(path.join(dir, file), texts[i] ?? '')
    }
    const made = stylesIn(dir, sheets, width)
    knownStyles.set(key, made)
    return made
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function stylesIn(dir: string, sheets: string[], width: number): Record<string, string> {
  const program = officialCompiler('wcsc')
  const out: Record<string, string> = {}
  for (const file of sheets) {
    const r = spawnSync(program, ['-js', file, ...sheets.filter((f) => f !== file)], { cwd: dir, encoding: 'utf8' })
    if (r.status !== 0) throw new Error(`${file}: ${r.stderr || r.error?.message}`)
    out[stem(file)] = runStyleScript(r.stdout, width)
  }
  return out
}

/** Names of the functions of `wx`, from the official typings. */
export function officialApis(): string[] {
  const root = path.dirname(require.resolve('miniprogram-api-typings/package.json'))
  const file = path.join(root, 'types/wx/lib.wx.api.d.ts')
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const names = new Set<string>()
  const visit = (node: ts.Node) => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'Wx') {
      for (const m of node.members) if (ts.isMethodSignature(m)) names.add(m.name.getText(source))
    } else if (ts.isSourceFile(node) || ts.isModuleDeclaration(node) || ts.isModuleBlock(node)) {
      ts.forEachChild(node, visit)
    }
  }
  visit(source)
  return [...names]
}

/**
 * Reads `dist/weapp` for a screen `width` CSS px wide; `change` may replace the text of a file.
 * @throws Error when there is no build, or a compiler refuses a file
 */
export function readBundle(width: number, change: ChangeText = (_, text) => text): Compiled {
  const names = filesOf(dist)
  const read = (file: string) => change(file, readFileSync(path.join(dist, file), 'utf8'))
  const texts = new Map(names.filter((f) => /\.(wxml|wxs|js|json)$/.test(f)).map((f) => [f, read(f)]))
  const json: Record<string, ComponentJson> = {}
  const scripts: Record<string, string> = {}
  for (const [file, text] of texts) {
    if (file.endsWith('.json')) json[stem(file)] = JSON.parse(text)
    if (file.endsWith('.js')) scripts[file] = text
  }
  const own = new Set(Object.values(json).flatMap((j) => Object.keys(j.usingComponents ?? {})))
  const tags: Tags = new Map()
  const templates = compileTemplates(texts, own, tags)
  const bundle: Bundle = {
    app: json.app as unknown as AppJson,
    json,
    styles: compileStyles(names, width, read),
    tags: Object.fromEntries([...tags].map(([tag, names]) => [tag, [...names]])),
    apiNames: officialApis(),
    languageGlobals: vm.runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[],
  }
  return { bundle, scripts, templates }
}
