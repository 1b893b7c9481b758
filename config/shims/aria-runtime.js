import { hooks, mergeInternalComponents } from '@tarojs/shared'
import { aria } from './aria-attributes'

mergeInternalComponents({ View: aria })

// the host reads `aria-role`, the browser `role`
hooks.tap('modifyHydrateData', (data) => {
  if (data.role === undefined) return
  data.ariaRole = data.role
  delete data.role
})
