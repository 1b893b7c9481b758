/**
 * Appraisals written by hand instead of by the script: `APPRAISALS=<folder>` gets what an appraiser sees at the desk, and
 * forms found there are sent. Names are `<account>-<service>-<person>`, for example `01-PRO-2`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { unescaped } from './desk-client'

type Fields = Record<string, string>

/** A control as one line: its name, its value or what it asks for, and its longest text. */
function control(tag: string): string {
  const value = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  if (value('name') === '' || value('name') === 'csrf') return ''
  const asks = value('value') || value('placeholder') || value('aria-label')
  return ` [${value('name')}${asks && `: ${asks}`}${value('maxlength') && `, ${value('maxlength')} 字`}] `
}

/** A page of the desk as plain text with the names of its controls. */
const textOf = (page: string) =>
  unescaped(
    page
      .replace(/^.*?<main[^>]*>/s, '')
      .replace(/<(script|style)\b.*?<\/\1>|<option\b.*?<\/option>/gs, '')
      .replace(/<(?:input|textarea|select)\b[^>]*>/g, control)
      .replace(/<(?:h\d|tr|li|dt|p|div|fieldset|legend|label|summary|small)\b[^>]*>/g, '\n')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')

const readJson = <T>(file: string): T | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined

/** Hidden values of the delivery form, which a browser sends with what is typed. */
const hiddenFields = (page: string): Fields =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="((?:note|like)-[^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, unescaped(value)],
    ),
  )

/** @param folder without it nothing is written down and no form is found */
export function writtenAppraisals(folder: string | undefined) {
  const fileOf = (name: string) => path.join(folder ?? '', name)
  if (folder) mkdirSync(folder, { recursive: true })
  return {
    /** What owners add to their orders, by number of the account. */
    remark: (n: number) => (folder ? readJson<Fields>(fileOf('remarks.json'))?.[n + 1] : undefined),
    /** Writes down what the appraiser sees. */
    seen(name: string, page: string) {
      if (folder) writeFileSync(fileOf(`${name}.txt`), textOf(page))
    },
    /** The form that was written for this page. */
    form(name: string, page: string): Fields | undefined {
      const typed = folder ? readJson<Fields>(fileOf(`${name}.json`)) : undefined
      return typed && { ...hiddenFields(page), ...typed }
    },
  }
}
