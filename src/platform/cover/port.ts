/**
 * A temporary layer over the page, such as a sheet or the viewer. Back navigation (browser button, edge swipe,
 * hardware key) closes the cover instead of the page.
 */
export interface CoverProps {
  open: boolean
  /** Requests closing: the user navigated back, or the page is about to change. */
  onBack: (byUser: boolean) => void
}

/** Closes all covers before a navigation. Resolves immediately if there are none. */
export type Uncover = () => Promise<void>
