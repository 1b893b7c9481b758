/**
 * A temporary layer over the page, such as a sheet or the viewer. Back navigation (browser button, edge swipe,
 * hardware key) closes the overlay instead of the page.
 */
export interface BackHandlerProps {
  open: boolean
  /** Requests closing: the user navigated back, or the page is about to change. */
  onBack: (byUser: boolean) => void
}

/** Closes all overlays before a navigation. Resolves immediately if there are none. */
export type CloseAll = () => Promise<void>
