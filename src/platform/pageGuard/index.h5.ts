import type { InstallPageGuard } from './port'

/** On h5 boot/h5-router guards earlier: before a page's code is even requested. */
export const installPageGuard: InstallPageGuard = () => undefined
