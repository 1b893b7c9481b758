import path from 'node:path'
import { aria } from './shims/aria-attributes'

interface Platform {
  runtimePath?: string | string[]
  template?: { mergeComponents(ctx: object, components: object): void }
}
interface PluginContext {
  registerMethod(method: { name: string; fn: (platform: Platform) => void }): void
}

/** Taro plugin: adds `aria-*` to the mini-program templates, which drop it, leaving icon buttons without an accessible name. */
export default (ctx: PluginContext) => {
  ctx.registerMethod({
    name: 'onSetupClose',
    fn(platform) {
      if (!platform.template) return
      platform.template.mergeComponents(ctx, { View: aria })
      platform.runtimePath = [platform.runtimePath ?? [], path.join(__dirname, 'shims', 'aria-runtime.js')].flat()
    },
  })
}
