/**
 * Guard for pages the host opens without `nav` (cold start, share, scan).
 * `allow` gets the full URL; if it returns false the page is not started, and `allow` has redirected the user.
 */
export type InstallPageGuard = (allow: (url: string) => boolean) => void
