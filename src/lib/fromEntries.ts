/** Object.fromEntries, which iOS 12.0, Chrome 70 and older mini-program hosts lack; imported before everything else. */
Object.fromEntries ??= (entries: Iterable<readonly unknown[]>) => {
  const out: Record<PropertyKey, unknown> = {}
  for (const [key, value] of entries) out[key as PropertyKey] = value
  return out
}
