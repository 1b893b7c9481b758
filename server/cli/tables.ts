/** Markdown tables of figures, for the console and docs/accuracy.md. */

export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
