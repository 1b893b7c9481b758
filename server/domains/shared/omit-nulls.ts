/** Drops columns without a value, which the contract declares optional. */
export const omitNulls = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never
