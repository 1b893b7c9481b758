/**
 * What a mini-program view may say to a screen reader, with the value it has when nothing was said. Template (aria.ts)
 * and runtime (aria-runtime.js) number a component's attributes by this same list.
 */
const nothing = "''"

exports.aria = {
  'aria-label': nothing,
  'aria-role': nothing,
  'aria-checked': nothing,
  'aria-selected': nothing,
  'aria-disabled': nothing,
}
