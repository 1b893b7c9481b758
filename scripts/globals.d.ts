/** What the benchmarks leave on the pages they measure. */
interface Window {
  /** ms of the paints, layout shift, and ms until a tap was handled */
  seen: { fcp: number; lcp: number; cls: number; usable: number }
  /** cumulative layout shift */
  shift: number
}
