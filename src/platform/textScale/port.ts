/** Tells what is drawn outside of pages (messages, previews) how large the reader wants text: 1 to 2. */
export type ShowTextScale = (scale: number) => void
