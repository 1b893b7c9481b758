import { inflateSync } from 'node:zlib'

/** The streams of a PDF, decompressed. */
function streams(file: Buffer): string[] {
  const found: string[] = []
  const text = file.toString('latin1')
  for (const { index, 0: start } of text.matchAll(/stream\r?\n/g)) {
    const from = index + start.length
    const data = file.subarray(from, text.indexOf('endstream', from))
    try {
      found.push(inflateSync(data).toString('latin1'))
    } catch {
      found.push(data.toString('latin1'))
    }
  }
  return found
}

const utf16 = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')

/** Glyph numbers of one font as characters, from the table that copying and searching use. */
function tableOf(map: string): Map<string, string> {
  const table = new Map<string, string>()
  for (const [, from = '', list = ''] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi))
    Array.from(list.matchAll(/<([0-9a-f ]*)>/gi), ([, hex = ''], i) =>
      table.set((Number.parseInt(from, 16) + i).toString(16).padStart(4, '0'), utf16(hex)),
    )
  return table
}

/** All selectable text of a PDF written by pdfkit, in drawing order; at most three fonts. */
export function readPdf(file: Buffer): { text: string; fonts: number; raw: string } {
  const all = streams(file)
  const raw = file.toString('latin1')
  const tables = all.filter((s) => s.includes('begincmap')).map(tableOf)
  const maps = Array.from(raw.matchAll(/\/ToUnicode (\d+) 0 R/g), ([, id]) => Number(id))
  const names = Array.from(new Set(all.join('\n').match(/\/F\d+(?= )/g) ?? []))
  const order = new Map(
    names.map((name) => {
      const font = new RegExp(`${name} (\\d+) 0 R`).exec(raw)?.[1]
      const body = new RegExp(`\\n${font} 0 obj([\\s\\S]*?)endobj`).exec(raw)?.[1] ?? ''
      const map = Number(/\/ToUnicode (\d+) 0 R/.exec(body)?.[1])
      return [name, [...maps].sort((a, b) => a - b).indexOf(map)] as const
    }),
  )
  let text = ''
  for (const page of all.filter((s) => / Tf\b/.test(s) && / TJ\b/.test(s))) {
    let table = new Map<string, string>()
    for (const [, name, run] of page.matchAll(/(\/F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name) table = tables[order.get(name) ?? 0] ?? table
      else if (run !== undefined) {
        const hex = Array.from(run.matchAll(/<([0-9a-f]+)>/gi), ([, h]) => h).join('')
        text += `${(hex.match(/.{4}/g) ?? []).map((g) => table.get(g.toLowerCase()) ?? '\uFFFD').join('')}\n`
      }
    }
  }
  return { text, fonts: (raw.match(/\/FontFile2 /g) ?? []).length, raw: `${raw}${all.join('\n')}` }
}
