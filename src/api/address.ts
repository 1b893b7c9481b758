/** Resolves a path against our own server. */
export const absolute = (address: string, base: string) => (/^https?:/.test(address) ? address : base + address)
