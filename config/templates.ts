interface Template {
  nestElements: Map<string, number>
  modifyTemplateResult: (markup: string, ...about: unknown[]) => string
}
interface PluginContext {
  registerMethod(method: { name: string; fn: (platform: { template?: Template }) => void }): void
}

/** Attributes and events that no component sets; `test/spec/platforms` compares them with ours and NutUI's. */
export const unusedAttribute =
  /^(animation|bindanimation\w+|hover-stop-propagation|(bind)?refresher[\w-]*|binddrag\w+|min-drag-distance|scroll-into-view-\w[\w-]*|enable-(flex|passive)|using-sticky|paging-enabled|fast-deceleration|associative-container|cache-extent)$/

/** How often an element may lie within others of its kind; Taro writes its template anew for every level. */
const levels = { text: 2, 'static-text': 2, 'scroll-view': 2 }

/**
 * Taro plugin: shortens the mini-program's templates, in which Taro writes every attribute an element has, for each of
 * 15 levels: −21 kB of the main package.
 */
export default (ctx: PluginContext) => {
  ctx.registerMethod({
    name: 'onSetupClose',
    fn({ template }) {
      if (!template) return
      for (const [element, most] of Object.entries(levels)) template.nestElements.set(element, most)
      const whole = template.modifyTemplateResult
      template.modifyTemplateResult = (...given) =>
        whole(...given).replace(/ ([\w-]+)="[^"]*"/g, (attribute, name: string) =>
          unusedAttribute.test(name) ? '' : attribute,
        )
    },
  })
}
