import { dateText } from '@/contract/format'
import { timeText } from '@/contract/timeText'
import { type Env, invalidSetting, text } from '../../core/env'
import type { Reminder } from './port'

const sources = ['title', 'summary', 'time'] as const
type Source = (typeof sources)[number]

/** A message template of WeChat's console (订阅消息) and the sources of its fields. */
export interface ReminderTemplate {
  id: string
  /** sources by field name, such as `thing1` */
  fields: Readonly<Record<string, Source>>
}

const NAME = 'WECHAT_REMINDER'
const ALLOWED = '“模板编号:thing1=title,thing2=summary,time3=time”'
/** Maximum characters of a field by its kind; WeChat rejects longer ones (47003). */
const longest: Readonly<Record<string, number>> = { thing: 20, phrase: 5, character_string: 32, time: 32, date: 32 }
const kindOf = (field: string) => field.replace(/\d+$/, '')

/** @throws StartError */
export function parseReminder(env: Env): ReminderTemplate | undefined {
  const value = text(env, NAME)
  if (value === undefined) return undefined
  const [id = '', list = ''] = value.split(':')
  const fields: Record<string, Source> = {}
  for (const part of list.split(',')) {
    const [field = '', name] = part.trim().split('=')
    const source = sources.find((source) => source === name)
    const dated = /^(time|date)$/.test(kindOf(field))
    if (!source || !/\d$/.test(field) || !(kindOf(field) in longest) || dated !== (source === 'time'))
      return invalidSetting(NAME, ALLOWED, value)
    fields[field] = source
  }
  return /^[\w-]+$/.test(id) ? { id, fields } : invalidSetting(NAME, ALLOWED, value)
}

/** The fields in WeChat's format: cut to their length, times as 2026年11月21日 09:05. */
export function reminderData({ fields }: ReminderTemplate, { title, summary, at }: Omit<Reminder, 'openid' | 'page'>) {
  const [year, month, day] = dateText(at).split('-')
  const values = { title, summary, time: `${year}年${month}月${day}日 ${timeText(at)}` }
  const cut = (value: string, most: number) => {
    const letters = [...value]
    return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : value
  }
  return Object.fromEntries(
    Object.entries(fields).map(([field, source]) => [
      field,
      { value: cut(values[source], longest[kindOf(field)] ?? 20) },
    ]),
  )
}
