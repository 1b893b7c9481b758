/**
 * Whether a page answers at all, before or while it is framed: a frame tells nobody that it stayed empty. True where
 * the host itself reports failures. What forbids being framed cannot be told from what does not.
 */
export type CheckReachable = (url: string) => Promise<boolean>
