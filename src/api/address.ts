/** Resolves a path against our own server. */
export const absoluteUrl = (address: string, base: string) => (/^https?:/.test(address) ? address : base + address)
