/**
 * Second line of the guard, for pages the host opens without asking `nav` (cold start, share, scan).
 * `allow` gets the full address; when it answers false the page is never started, and `allow` has sent the user elsewhere.
 */
export type InstallPageGuard = (allow: (url: string) => boolean) => void
