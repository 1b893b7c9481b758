/** Static facts of a script: its syntax, the names it takes from outside, addresses and secrets in it. */
import {
  type Function as AnyFunction,
  type AnyNode,
  type CallExpression,
  type Identifier,
  type Node,
  parse,
  type UnaryExpression,
} from 'acorn'
import { newerMethods } from '../../newer-library'
import { guardedButtons } from './declared'
import { remembered } from './files'

/** Facts of one script that the rules check. */
interface Script {
  /** the syntax error if it is not ES5, which every device runs */
  notEs5?: string
  /** violations visible in the script alone */
  violations: string[]
  /** functions called on `wx` or on an alias of it */
  called: Set<string>
  /** properties of `wx` itself */
  ofWx: Set<string>
  /** values of `openType` that WeChat guards */
  openTypes: Set<string>
  /** targets of require with a relative path */
  required: string[]
  texts: string[]
}

const browser = new Set(
  'window document localStorage sessionStorage navigator location history XMLHttpRequest fetch alert URL URLSearchParams AbortController TextEncoder TextDecoder crypto atob btoa MessageChannel ResizeObserver MutationObserver Blob File FileReader FormData WebSocket Worker structuredClone requestIdleCallback Intl Buffer'.split(
    ' ',
  ),
)

const secrets: [RegExp, string][] = [
  [/^[0-9a-f]{32}$/, 'looks like an AppSecret'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'a private key'],
  [/^(AKID|LTAI|AKIA)[A-Za-z0-9]{12,}$/, 'a cloud access key'],
  [/api\.weixin\.qq\.com/, 'api.weixin.qq.com is for servers'],
]

/** Names declared in a function itself: parameters, its `var`s, its inner functions. */
function declared(fn: AnyFunction): Set<string> {
  const names = new Set(['arguments'])
  const add = (node: AnyNode) => node.type === 'Identifier' && names.add(node.name)
  if (fn.type === 'FunctionExpression' && fn.id) add(fn.id)
  for (const parameter of fn.params) add(parameter as AnyNode)
  hoisted(fn.body as AnyNode, add)
  return names
}

function hoisted(node: AnyNode, add: (node: AnyNode) => unknown) {
  if (node.type === 'VariableDeclarator') add(node.id as AnyNode)
  if (node.type === 'CatchClause' && node.param) add(node.param as AnyNode)
  if (node.type === 'FunctionDeclaration') add(node.id as AnyNode)
  if (isFunction(node)) return
  for (const child of children(node)) hoisted(child, add)
}

const isFunction = (node: Node): node is AnyFunction => /^(Function|ArrowFunction)/.test(node.type)

function* children(node: AnyNode): Generator<AnyNode> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && typeof (child as Node).type === 'string') yield child as AnyNode
  }
}

interface Scope {
  names: Set<string>
  /** names checked by `typeof` in this function */
  asked: Set<string>
  /** names used here, judged at the function's end, because the `typeof` check may follow in the text */
  used: string[]
}

const literal = (node: AnyNode | undefined) =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

/** `typeof name` */
const isQuestion = (node: AnyNode): node is UnaryExpression & { argument: Identifier } =>
  node.type === 'UnaryExpression' && node.operator === 'typeof' && node.argument.type === 'Identifier'

class Reader {
  readonly script: Script = {
    violations: [],
    called: new Set(),
    ofWx: new Set(),
    openTypes: new Set(),
    required: [],
    texts: [],
  }
  private scopes: Scope[] = []

  private isFree = (name: string) => !this.scopes.some((s) => s.names.has(name))

  read(root: AnyNode) {
    const names = new Set<string>()
    hoisted(root, (node) => node.type === 'Identifier' && names.add(node.name))
    this.within(names, () => this.visitChildren(root))
  }

  private within(names: Set<string>, visit: () => void) {
    const scope: Scope = { names, asked: new Set(), used: [] }
    this.scopes.push(scope)
    visit()
    const open = scope.used.filter((name) => !scope.asked.has(name))
    this.scopes.pop()
    const outer = this.scopes.at(-1)
    if (outer) outer.used.push(...open)
    else for (const name of new Set(open)) this.script.violations.push(`browser global ${name}`)
  }

  private visitChildren(node: AnyNode) {
    for (const child of children(node)) this.visit(child)
  }

  private visit(node: AnyNode): void {
    if (isFunction(node)) this.within(declared(node), () => this.visit(node.body as AnyNode))
    else if (node.type === 'Identifier') this.use(node)
    else if (node.type === 'MemberExpression') this.member(node)
    else if (node.type === 'Property') this.property(node)
    else if (node.type === 'LabeledStatement') this.visit(node.body as AnyNode)
    else if (isQuestion(node)) this.scopes.at(-1)?.asked.add(node.argument.name)
    else if (node.type !== 'BreakStatement' && node.type !== 'ContinueStatement') this.plain(node)
  }

  private plain(node: AnyNode) {
    if (node.type === 'DebuggerStatement') this.script.violations.push('debugger statement')
    if (node.type === 'Literal' && typeof node.value === 'string') this.text(node.value)
    if (node.type === 'CallExpression' || node.type === 'NewExpression') this.call(node as CallExpression)
    this.visitChildren(node)
  }

  /** A button's type may be chosen at run time, so every string of that form counts. */
  private text(text: string) {
    this.script.texts.push(text)
    const [name = ''] = text.split('|')
    if (guardedButtons.includes(name)) this.script.openTypes.add(name)
  }

  private property({ key, value, computed }: Extract<AnyNode, { type: 'Property' }>) {
    if (computed) this.visit(key as AnyNode)
    this.visit(value as AnyNode)
  }

  private use({ name }: Identifier) {
    if (!this.isFree(name)) return
    if (name === 'eval') this.script.violations.push('eval')
    if (browser.has(name)) this.scopes.at(-1)?.used.push(name)
  }

  private member(node: Extract<AnyNode, { type: 'MemberExpression' }>) {
    const name = node.property.type === 'Identifier' && !node.computed ? node.property.name : literal(node.property)
    if (node.object.type === 'Identifier' && node.object.name === 'wx' && this.isFree('wx') && name)
      this.script.ofWx.add(name)
    this.visit(node.object as AnyNode)
    if (node.computed) this.visit(node.property as AnyNode)
  }

  private call({ callee, arguments: args }: CallExpression) {
    if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && !callee.computed) {
      const { name } = callee.property
      this.script.called.add(name)
      if (newerMethods.has(name)) this.script.violations.push(`newer than our devices: ${name}()`)
    }
    if (callee.type !== 'Identifier' || !this.isFree(callee.name)) return
    const first = literal(args[0] as AnyNode)
    // webpack finds the global object this way, after checking `typeof globalThis` and inside a try
    if (callee.name === 'Function' && first !== 'return this') this.script.violations.push('code from text: Function')
    if (/^set(Timeout|Interval)$/.test(callee.name) && first !== undefined)
      this.script.violations.push(`code from text: ${callee.name}`)
    if (callee.name === 'require' && first !== undefined) this.script.required.push(first)
  }
}

/** Analyses a script; results are memoised by text. */
export const readScript = remembered((code: string): Script => {
  const reader = new Reader()
  const { script } = reader
  try {
    reader.read(parse(code, { ecmaVersion: 5 }) as AnyNode)
  } catch (error) {
    script.notEs5 = error instanceof Error ? error.message : String(error)
  }
  for (const text of script.texts)
    for (const [pattern, what] of secrets) if (pattern.test(text)) script.violations.push(what)
  return script
})
