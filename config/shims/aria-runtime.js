import { hooks, mergeInternalComponents } from '@tarojs/shared'
import { aria } from './aria-attributes'

mergeInternalComponents({ View: aria })

// browser attributes that no mini-program template reads; without this setData would transfer them
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
