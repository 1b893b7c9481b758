import { View } from '@tarojs/components'
import { estimate } from '@/contract/format'
import { comparableKindText, strikeReasonText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { appraisersOf } from './appraiserStatistics'
import { humanCopy } from './copy'
import './appraisal.scss'

interface RowProps {
  name: string
  note: string
  why: string
}

const Row = ({ name, note, why }: RowProps) => (
  <View className='hm-row'>
    <View className='hm-row__name'>{name}</View>
    <View className='hm-row__note'>{note}</View>
    {why ? <View className='hm-row__why'>{why}</View> : null}
  </View>
)

/** The lines of the model's price that the appraisers changed, and the comparables that they struck; of several with their names. */
export function AppraisalSections({ report }: { report: Report }) {
  const people = appraisersOf(report)
  const by = (name: string) => (people.length > 1 ? `${name}：` : '')
  const lines = people.flatMap(({ name, work }) => work.corrections.map((one) => ({ ...one, name })))
  const accounts = new Map(report.ai?.comparables.map((one) => [one.id, one]))
  const struck = people.flatMap(({ name, work }) =>
    work.struck.flatMap(({ id, reason }) => {
      const one = accounts.get(id)
      return one ? [{ one, reason, name }] : []
    }),
  )
  return (
    <>
      {lines.length > 0 ? (
        <Card title={humanCopy.corrections}>
          {lines.map(({ name, label, amountFen, ownFen, why }) => (
            <Row
              key={`${name} ${label}`}
              name={label}
              note={humanCopy.changed(amountFen, ownFen)}
              why={`${by(name)}${why}`}
            />
          ))}
        </Card>
      ) : null}
      {struck.length > 0 ? (
        <Card title={humanCopy.struck}>
          {struck.map(({ name, one, reason }) => (
            <Row
              key={`${name} ${one.id}`}
              name={`${comparableKindText[one.kind]} ${estimate(one.priceFen)}`}
              note={one.diff.join('、')}
              why={`${by(name)}${strikeReasonText[reason]}`}
            />
          ))}
        </Card>
      ) : null}
    </>
  )
}
