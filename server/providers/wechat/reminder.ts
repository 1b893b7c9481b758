import { dateText } from '@/contract/format'
import { timeText } from '@/contract/timeText'
import { type Env, invalidSetting, text } from '../../core/env'
import type { Reminder } from './port'

/** A message template of WeChat's console (订阅消息): its id, and each of its fields with what it says. */
export interface ReminderTemplate {
  id: string
  fields: readonly (readonly [field: string, source: string])[]
}

const NAME = 'WECHAT_REMINDER'
const FORMAT = /^([\w-]+):((?:thing\d+=(?:title|summary)|(?:time|date)\d+=time)(?:,|$))+$/
/** maximum characters of a field; WeChat rejects longer ones (47003) */
const MOST = 20

/** @throws StartError */
export function parseReminder(env: Env): ReminderTemplate | undefined {
  const value = text(env, NAME)
  if (value === undefined) return undefined
  if (!FORMAT.test(value)) return invalidSetting(NAME, '“模板编号:thing1=title,thing2=summary,time3=time”', value)
  const [id = ''] = value.split(':')
  return { id, fields: Array.from(value.matchAll(/(\w+)=(\w+)/g), ([, field = '', source = '']) => [field, source]) }
}

/** The fields in WeChat's format: cut to their length, times as 2026年11月21日 09:05. */
export function reminderData({ fields }: ReminderTemplate, { title, summary, at }: Omit<Reminder, 'openid' | 'page'>) {
  const [year, month, day] = dateText(at).split('-')
  const values: Record<string, string> = { title, summary, time: `${year}年${month}月${day}日 ${timeText(at)}` }
  return Object.fromEntries(
    fields.map(([field, source]) => {
      const letters = [...(values[source] ?? '')]
      const value = letters.length > MOST ? `${letters.slice(0, MOST - 1).join('')}…` : letters.join('')
      return [field, { value }]
    }),
  )
}
