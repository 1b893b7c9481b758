// navigationStyle is custom, so Taro's navigation bar is never shown; its icons take 2 kB br.
export const initNavigationBar = () => undefined
