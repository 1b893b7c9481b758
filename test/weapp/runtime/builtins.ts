/** The built-in components the app uses; any other is reported as a problem when it is rendered. */
import type * as glassEasel from 'glass-easel'
import type { CodeSpace } from 'glass-easel-miniprogram-adapter'
import { fields } from './fields'
import { covers, problem } from './state'
import { drawable } from './wx/media'

/** One component instance. */
export interface Host {
  dom: HTMLElement
  component: glassEasel.GeneralComponent
  data: Record<string, unknown>
  emit(name: string, detail: unknown, bubbles?: boolean): void
}

export interface BuiltIn {
  /** builds the content of the tag and adds the listeners; once */
  create?(host: Host): void
  /**
   * a property changed; also once before the first drawing. `changed(name)` is true for what differs from last time.
   */
  update?(host: Host, changed: (name: string) => boolean): void
}

const image: BuiltIn = {
  create(host) {
    const img = document.createElement('img')
    img.addEventListener('load', () => host.emit('load', { width: img.naturalWidth, height: img.naturalHeight }))
    img.addEventListener('error', () => host.emit('error', { errMsg: `GET ${img.src} error` }))
    host.dom.append(img)
  },
  update({ dom, data }, changed) {
    dom.setAttribute('mode', String(data.mode || 'scaleToFill'))
    const img = dom.firstElementChild as HTMLImageElement
    if (changed('src') && data.src) img.src = drawable(String(data.src))
  },
}

const number = (value: unknown, fallback: number) => (Number.isFinite(Number(value)) ? Number(value) : fallback)

function onScroll(host: Host) {
  const { dom, data } = host
  const { scrollTop, scrollLeft, scrollHeight, scrollWidth } = dom
  host.emit('scroll', { scrollTop, scrollLeft, scrollHeight, scrollWidth })
  if (scrollTop <= number(data.upperThreshold, 50)) host.emit('scrolltoupper', { direction: 'top' })
  const left = scrollHeight - dom.clientHeight - scrollTop
  if (left <= number(data.lowerThreshold, 50)) host.emit('scrolltolower', { direction: 'bottom' })
}

const scrollView: BuiltIn = {
  create(host) {
    host.dom.addEventListener('scroll', () => onScroll(host))
  },
  update({ dom, data }, changed) {
    dom.toggleAttribute('scroll-x', Boolean(data.scrollX))
    dom.toggleAttribute('scroll-y', Boolean(data.scrollY))
    // children are drawn after this
    requestAnimationFrame(() => {
      if (changed('scrollTop') && data.scrollTop !== undefined && data.scrollTop !== '')
        dom.scrollTop = Number(data.scrollTop)
      if (changed('scrollIntoView') && data.scrollIntoView)
        dom.querySelector(`[id$="--${CSS.escape(String(data.scrollIntoView))}"]`)?.scrollIntoView()
    })
  },
}

const richText: BuiltIn = {
  update({ dom, data }) {
    if (typeof data.nodes === 'string') dom.innerHTML = data.nodes
    else if (data.nodes) problem('<rich-text> with node objects is not imitated')
  },
}

const webView: BuiltIn = {
  update({ dom, data }) {
    dom.textContent = String(data.src ?? '')
  },
}

const shownContainers = new WeakMap<HTMLElement, Parameters<typeof covers.add>[0]>()

/** Only its effect on back navigation; it renders nothing. */
const pageContainer: BuiltIn = {
  update(host, changed) {
    const { dom, data } = host
    if (!changed('show')) return
    const known = shownContainers.get(dom)
    const left = () => {
      for (const name of ['beforeleave', 'leave', 'afterleave']) host.emit(name, {})
    }
    // closing it from the app fires the event as well
    if (known && covers.delete(known) && !data.show) setTimeout(left)
    if (!data.show) return
    const close = () => {
      covers.delete(cover)
      left()
    }
    const cover = { dom, close }
    shownContainers.set(dom, cover)
    covers.add(cover)
  },
}

const plain: BuiltIn = {}

/** Accessibility attributes under the browser's names. */
const spoken = { ariaRole: 'role', ariaLabel: 'aria-label', ariaChecked: 'aria-checked', ariaSelected: 'aria-selected' }

const view: BuiltIn = {
  update({ dom, data }) {
    for (const [property, attribute] of Object.entries(spoken)) {
      if (data[property]) dom.setAttribute(attribute, String(data[property]))
      else dom.removeAttribute(attribute)
    }
  },
}

const builtIns: Record<string, BuiltIn> = {
  'wx-view': view,
  'wx-text': plain,
  'wx-cover-view': plain,
  'wx-root-portal': plain,
  'wx-page-meta': plain,
  'wx-page-container': pageContainer,
  'wx-image': image,
  'wx-scroll-view': scrollView,
  'wx-rich-text': richText,
  'wx-web-view': webView,
  ...fields,
}

const notImitated = (tag: string): BuiltIn => ({ create: () => problem(`<${tag.slice(3)}> is not imitated`) })

const camel = (name: string) => name.replace(/-(\w)/g, (_, c: string) => c.toUpperCase())

/** Life cycle of a component: `created` once, then `update` for every batch of changed properties. */
function behave(built: BuiltIn) {
  interface Entry {
    host: Host
    last: Record<string, unknown>
  }
  const hosts = new WeakMap<object, Entry>()
  function hostOf(component: glassEasel.GeneralComponent) {
    const known = hosts.get(component)
    if (known) return known
    const host: Host = {
      dom: component.getBackendElement() as unknown as HTMLElement,
      component,
      get data() {
        return component.data as Record<string, unknown>
      },
      emit: (name, detail, bubbles = false) => component.triggerEvent(name, detail, { bubbles, composed: bubbles }),
    }
    const entry: Entry = { host, last: {} }
    hosts.set(component, entry)
    return entry
  }
  return {
    created: (component: glassEasel.GeneralComponent) => built.create?.(hostOf(component).host),
    updated(component: glassEasel.GeneralComponent) {
      // the page was closed: a device ignores late updates
      if (!built.update || !component.getBackendElement()) return
      const entry = hostOf(component)
      const before = entry.last
      entry.last = { ...entry.host.data }
      const now = entry.last
      built.update(entry.host, (name) => before[name] !== now[name])
    },
  }
}

/** Registers every built-in the templates mention, with the attributes they give it. */
export function defineBuiltIns(space: CodeSpace, tags: Record<string, string[]>) {
  const target = space.getComponentSpace()
  for (const [tag, attributes] of Object.entries(tags)) {
    const { created, updated } = behave(builtIns[tag] ?? notImitated(tag))
    // null: any type, passed unchanged
    const properties = Object.fromEntries(attributes.map((name) => [camel(name), null]))
    const definition = target.defineComponent({
      is: `host/${tag}`,
      properties: properties as never,
      observers: {
        '**': function (this: unknown) {
          updated(this as glassEasel.GeneralComponent)
        },
      },
      lifetimes: {
        created() {
          created(this as unknown as glassEasel.GeneralComponent)
        },
        attached() {
          updated(this as unknown as glassEasel.GeneralComponent)
        },
      },
    })
    target.setGlobalUsingComponent(tag, definition as unknown as glassEasel.GeneralComponentDefinition)
  }
}
