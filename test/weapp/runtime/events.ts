/** Events as the logic layer receives them: copies of plain data. */
import * as glassEasel from 'glass-easel'

type Shadowed = glassEasel.ShadowedEvent<unknown>

/** For these events glass-easel passes the browser's event as the detail; on a device the detail is empty. */
const native = /^(touch|animation|transition|canceltap)/

interface HasIdentity {
  id?: string
  dataset?: Record<string, unknown>
  _$?: glassEasel.GeneralComponent
}

function node(target: HasIdentity) {
  const element = (target._$ ?? target) as unknown as glassEasel.Element
  const dom = element.getBackendElement?.() as HTMLElement | null | undefined
  return {
    id: target.id ?? '',
    dataset: target.dataset ?? {},
    offsetLeft: dom?.offsetLeft ?? 0,
    offsetTop: dom?.offsetTop ?? 0,
  }
}

function touches(list: TouchList | undefined) {
  return [...(list ?? [])].map((t) => ({
    identifier: t.identifier,
    pageX: t.pageX,
    pageY: t.pageY,
    clientX: t.clientX,
    clientY: t.clientY,
    force: t.force,
  }))
}

/** Argument of a handler of the app for `event`. */
function plainEvent(event: Shadowed): unknown {
  const original = event.getOriginalEvent()
  const touch = typeof TouchEvent !== 'undefined' && original instanceof TouchEvent ? original : undefined
  const plain = {
    type: event.type,
    timeStamp: event.timeStamp,
    target: node(event.target),
    currentTarget: node(event.currentTarget),
    mark: event.mark ?? {},
    detail: native.test(event.type) ? {} : (event.detail ?? {}),
    touches: touches(touch?.touches),
    changedTouches: touches(touch?.changedTouches),
  }
  return JSON.parse(JSON.stringify(plain))
}

/** Wraps the functions of a Page or Component definition so that they never see an event of the engine itself. */
export function withPlainEvents<T extends Record<string, unknown>>(methods: T): T {
  const out: Record<string, unknown> = { ...methods }
  for (const [name, fn] of Object.entries(methods)) {
    if (typeof fn !== 'function') continue
    out[name] = function (this: unknown, first: unknown, ...rest: unknown[]) {
      return fn.call(this, first instanceof glassEasel.Event ? plainEvent(first as Shadowed) : first, ...rest)
    }
  }
  return out as T
}
