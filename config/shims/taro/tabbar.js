// tabBar.custom: Taro's own bar never shows, so its component and its calls (4 kB br) stay out.
export const initTabbar = () => undefined
