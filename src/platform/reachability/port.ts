/**
 * Whether a page can be reached, because an iframe reports no failure to load. Always true where the host reports
 * failures itself. A page that forbids framing cannot be recognised.
 */
export type IsReachable = (url: string) => Promise<boolean>
