// navigationStyle custom: Taro's own bar never shows; 2 kB br of drawings.
export const initNavigationBar = () => undefined
