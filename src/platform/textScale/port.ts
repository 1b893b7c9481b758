/** Sets the text scale (1 to 2) of elements outside pages, such as messages and previews. */
export type ShowTextScale = (scale: number) => void
