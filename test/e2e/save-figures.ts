/** Figures measured by end-to-end tests, kept in bench/results.json; the file changes only when a figure does. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const file = path.join(process.cwd(), 'bench/results.json')

/** Replaces the figures of one section. */
export function saveFigures(area: string, figures: Readonly<Record<string, number>>) {
  const text = readFileSync(file, 'utf8')
  const now = `${JSON.stringify({ ...JSON.parse(text), [area]: figures }, null, 2)}\n`
  if (now !== text) writeFileSync(file, now)
}
