import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { documentKeyText } from '@/contract/labels'
import type { Document } from '@/contract/types'
import { renderMarkdown } from './markdown'

/** Written once and kept as files; the accuracy page is made of figures instead. */
export type WrittenKey = Exclude<keyof typeof documentKeyText, 'ACCURACY'>

const folder = path.join(__dirname, 'documents')
const kept = new Map<WrittenKey, Document>()

const TEMPLATE_NOTE = '> 本文为模板，正式使用前须由律师审阅，并填入运营者信息。\n\n'

/** `---`, lines of `name: value`, `---`, then the text. */
function parse(file: string): Document {
  const [, head = '', body = ''] = file.split(/^---\n/m)
  const front = Object.fromEntries(head.split('\n').map((line) => line.split(/:\s*/, 2)))
  return {
    title: String(front.title),
    version: String(front.version),
    updatedAt: Date.parse(`${front.updatedAt}T00:00:00+08:00`),
    html: renderMarkdown((front.template === 'true' ? TEMPLATE_NOTE : '') + body),
  }
}

/** A text of the folder beside this file, rendered once. */
export function writtenDocument(key: WrittenKey): Document {
  const known = kept.get(key)
  if (known) return known
  const made = parse(readFileSync(path.join(folder, `${key}.md`), 'utf8'))
  kept.set(key, made)
  return made
}
