/** Tells what is drawn outside of pages (messages, previews) how large the reader wants text: 1, 1.15 or 1.3. */
export type ShowTextScale = (scale: number) => void
