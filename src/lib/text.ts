/** Replaces lone halves of surrogate pairs (an emoji cut in two), which cannot be percent-encoded. */
export const wellFormed = (s: string) =>
  s.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (m) => (m.length === 2 ? m : '\uFFFD'))
