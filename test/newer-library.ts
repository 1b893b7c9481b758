/**
 * Methods of the library that are newer than our oldest devices (babel.config.js): Babel transforms syntax only and adds
 * no polyfills. Object.fromEntries is in src/lib/fromEntries.ts.
 */
export const newerMethods: ReadonlySet<string> = new Set(
  'at matchAll replaceAll replaceChildren hasOwn findLast findLastIndex toSorted toReversed toSpliced groupBy any allSettled withResolvers isWellFormed randomUUID'.split(
    ' ',
  ),
)
