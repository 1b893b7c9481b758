/**
 * Something that covers the page for a while: a sheet, a picture. The user's way back (browser button, edge swipe,
 * hardware key) takes the cover away and leaves the page.
 */
export interface CoverProps {
  open: boolean
  /** The cover has to go: the user took the way back, or a page is about to be opened or left. */
  onBack: (byUser: boolean) => void
}

/** Before a page is opened or left: takes open covers off the way back. Resolves at once when there are none. */
export type Uncover = () => Promise<void>
