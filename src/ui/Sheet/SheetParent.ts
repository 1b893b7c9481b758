import { createContext } from 'react'

/**
 * The page's element that all its sheets are rendered into; null: where they are written. Taro transfers all children of
 * an element when one is inserted or removed, so a sheet among the contents of the page would transfer those again.
 */
export const SheetParent = createContext<Element | null>(null)
