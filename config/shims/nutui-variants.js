/** Parts of NutUI's styles for variants that no component of ui/ draws. Whoever draws one takes it off this list. */
const undrawn = new RegExp(
  [
    'nut-rtl|\\[dir=.?rtl.?\\]',
    'nut-steps-(horizontal|vertical-(dot|text))|nut-step-head-(dot|text)',
    'nut-popup-(title|center|top|left|right|slide-(top|left|right))',
    'nut-checkbox-(button|list)',
    'nut-avatar-(group|large|small|square)',
  ].join('|'),
)

/** PostCSS plugin: leaves these variants out, −16 kB of the mini-program's main package. */
module.exports = () => ({
  postcssPlugin: 'nutui-variants',
  Once(root) {
    root.walkRules(undrawn, (rule) => {
      const drawn = rule.selectors.filter((selector) => !undrawn.test(selector))
      if (drawn.length > 0) rule.selectors = drawn
      else rule.remove()
    })
  },
})
module.exports.postcss = true
