import type { Subscribe } from './port'

/** Ids of the templates from WeChat's console, put in by the build; at most three may be asked for at once. */
const templates = SUBSCRIBE_TEMPLATES.split(',').filter(Boolean).slice(0, 3)

export const subscribe: Subscribe = {
  available: () => templates.length > 0,
  ask: () =>
    new Promise((resolve) => {
      wx.requestSubscribeMessage({
        tmplIds: templates,
        success: (r) => resolve(templates.some((id) => r[id] === 'accept')),
        fail: () => resolve(false),
      })
    }),
}
