/** Whether WeChat's browser has accepted the share data of the current page for its menu. */
export const menu = { configured: false }
