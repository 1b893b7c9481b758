// tabBar.custom is set, so Taro's tab bar is never shown; its component and API (4 kB br) are left out.
export const initTabbar = () => undefined
