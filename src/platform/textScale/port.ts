/** Sets the text scale (1 to 2) of elements outside pages, such as messages and previews. */
export type ShowTextScale = (scale: number) => void

/** The text scale that is set in the host; 1 where it has no such setting. */
export type HostTextScale = () => number
