import { hooks, mergeInternalComponents } from '@tarojs/shared'
import { aria } from './aria-attributes'

mergeInternalComponents({ View: aria })

// attributes of browsers that no template of a mini-program reads; setData would carry them all the same
const browserOnly = [
  'tabindex',
  'ariaHidden',
  'ariaLive',
  'ariaExpanded',
  'ariaCurrent',
  'ariaInvalid',
  'ariaModal',
  'ariaLevel',
]

hooks.tap('modifyHydrateData', (data) => {
  for (const name of browserOnly) delete data[name]
  // the host reads `aria-role`, the browser `role`
  if (data.role === undefined) return
  data.ariaRole = data.role
  delete data.role
})
