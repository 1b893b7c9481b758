/** Whether WeChat's browser took what its menu is to share of the page on show. */
export const menu = { configured: false }
