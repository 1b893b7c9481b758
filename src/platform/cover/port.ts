/**
 * Something that covers the page for a while: a sheet, a picture. The user's way back (browser button, edge swipe,
 * hardware key) takes the cover away and leaves the page.
 */
export interface CoverProps {
  open: boolean
  /** The way back was taken: the cover has to go. */
  onBack: () => void
}

/** Before a page is opened or left: takes open covers off the way back. Resolves at once when there are none. */
export type Uncover = () => Promise<void>
