/** The component engine: WeChat's own glass-easel, configured as on a phone. */
import * as glassEasel from 'glass-easel'
import { type CodeSpace, component, MiniProgramEnv } from 'glass-easel-miniprogram-adapter'
import { withPlainEvents } from './events'
import { asTap, problem, throughJson } from './state'

type ContextBase = glassEasel.CurrentWindowBackendContext
type BackendElement = Parameters<ContextBase['setListenerStats']>[0]

/** Touch and style events only: the browser's `input`, `scroll` and `load` must not shadow those of components. */
const passed = /^(touch|animation|transition)/

class PhoneContext extends glassEasel.CurrentWindowBackendContext {
  override setListenerStats(element: BackendElement, type: string, capture: boolean, level: glassEasel.EventMutLevel) {
    if (passed.test(type)) super.setListenerStats(element, type, capture, level)
  }
}

/** A disabled button swallows the tap. */
function swallowed(target: glassEasel.Element, type: string): boolean {
  const dom = target.getBackendElement() as unknown as HTMLElement | null
  return type === 'tap' && !!dom?.closest?.('wx-button[disabled]')
}

const context = new PhoneContext()
// without this the engine receives no taps
context.onEvent((target, type, detail, options) => {
  if (swallowed(target, type)) return 0
  const event = new glassEasel.Event(type, detail, options)
  const dispatch = () => glassEasel.Event.dispatchEvent(target, event)
  if (type === 'tap') asTap(dispatch)
  else dispatch()
  return event.defaultPrevented() ? 1 : 0
})

glassEasel.addGlobalErrorListener((error, method, related) => {
  const where = typeof related === 'string' ? related : related?.is
  problem(`${where ?? ''} ${method ?? ''}:`, error)
  return false
})
glassEasel.addGlobalWarningListener((message) => {
  // WeChat renders nothing for an undefined list, without a warning
  if (message.startsWith('The for-list data is neither')) return false
  problem('glass-easel:', message)
  return false
})

/** Inline styles may use rpx; the official compiler has converted those of style sheets. */
const rpx = /(-?[\d.]+)rpx\b/g
const setNodeStyle = glassEasel.Element.prototype.setNodeStyle
glassEasel.Element.prototype.setNodeStyle = function (style: string, index?: glassEasel.StyleSegmentIndex) {
  const px = style.replace(rpx, (_, n: string) => `${(Number(n) / 750) * window.innerWidth}px`)
  setNodeStyle.call(this, px, index)
}

const caller = component.ComponentCaller.prototype
const setData = caller.setData
caller.setData = function (data: object, callback?: () => void) {
  setData.call(this, throughJson(data) as object, callback)
}

const env = new MiniProgramEnv()
export const backend = env.associateBackend(context)

/** The space all files of the app are registered in; ids reach the DOM so that selectors find them. */
export function createSpace(): CodeSpace {
  const space = env.createCodeSpace('', true)
  space.getComponentSpace().updateComponentOptions({ writeIdToDOM: true })
  return space
}

type Definition = Record<string, unknown>
const list = (value: unknown) => (Array.isArray(value) ? value : [])

/** Runs `inject` with `Page` and `Component` bound to `file`, whatever script happens to call them. */
export function defining(space: CodeSpace, file: string, inject: (globals: DefiningGlobals) => void) {
  space.componentEnv(file, (real) => {
    const page = real.Page as (definition: Definition) => void
    const component = real.Component as (definition: Definition) => void
    inject({
      Page: (definition) => page(withPlainEvents(definition)),
      Component: (definition) =>
        component({
          ...definition,
          // Taro hands over {} for both
          behaviors: list(definition.behaviors),
          externalClasses: list(definition.externalClasses),
          methods: withPlainEvents((definition.methods ?? {}) as Definition),
        }),
      Behavior: real.Behavior,
    })
  })
}

export interface DefiningGlobals {
  Page(definition: Definition): void
  Component(definition: Definition): void
  Behavior: unknown
}
