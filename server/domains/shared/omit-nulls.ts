/** Drops columns without a value, which the contract declares optional. */
export function omitNulls<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {}
  for (const key in fields) {
    const value = fields[key]
    if (value !== null && value !== undefined) kept[key] = value
  }
  return kept
}
