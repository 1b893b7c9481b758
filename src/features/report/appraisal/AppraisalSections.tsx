import { View } from '@tarojs/components'
import { estimate, signedYuan, yuan } from '@/contract/format'
import { comparableKindText, strikeReasonText } from '@/contract/labels'
import { picturesText, reconciliationRows, reconciliationTitle } from '@/contract/reconciliation'
import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { cx } from '@/ui/cx'
import { Notice } from '@/ui/Notice/Notice'
import { appraisersOf } from './appraiserStatistics'
import { humanCopy } from './copy'
import './appraisal.scss'

/** Why a later version was asked for; what changed is in the appraiser's comment. */
function Revised({ report: { revised, price } }: { report: Report }) {
  if (!revised) return null
  const { text, beforeFen } = revised
  return (
    <Card title={humanCopy.revised}>
      <View className='hm-row'>
        <View className='hm-row__name'>{humanCopy.revisedPrice(beforeFen, price.predictFen)}</View>
        <View className='hm-row__note'>{text}</View>
      </View>
    </Card>
  )
}

/** From the model's price to the report's, exact to the fen, and what was compared with the pictures. */
function Reconciliation({ report }: { report: Report }) {
  const { reconciliation } = report
  const proof = picturesText(report)
  if (!reconciliation) return proof ? <Notice text={proof} /> : null
  return (
    <Card title={reconciliationTitle(reconciliation)}>
      {reconciliationRows(report).map(({ label, fen, signed }) => (
        <View key={label} className={cx('hm-sum', !signed && 'hm-sum--price')}>
          <View className='hm-sum__label'>{label}</View>
          <View className='hm-sum__amount'>{signed ? signedYuan(fen) : yuan(fen)}</View>
        </View>
      ))}
      {proof ? <View className='hm-row__note'>{proof}</View> : null}
    </Card>
  )
}

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
function Changes({ report }: { report: Report }) {
  const people = appraisersOf(report)
  const by = (name: string) => (people.length > 1 ? `${name}：` : '')
  const lines = people.flatMap(({ name, work }) => work.corrections.map((correction) => ({ ...correction, name })))
  const accounts = new Map(report.ai?.comparables.map((comparable) => [comparable.id, comparable]))
  const struck = people.flatMap(({ name, work }) =>
    work.struck.flatMap(({ id, reason }) => {
      const comparable = accounts.get(id)
      return comparable ? [{ comparable, reason, name }] : []
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
          {struck.map(({ name, comparable, reason }) => (
            <Row
              key={`${name} ${comparable.id}`}
              name={`${comparableKindText[comparable.kind]} ${estimate(comparable.priceFen)}`}
              note={comparable.diff.join('、')}
              why={`${by(name)}${strikeReasonText[reason]}`}
            />
          ))}
        </Card>
      ) : null}
    </>
  )
}

/** Next steps for the owner of a manual report: questions while it is valid, the version before, the appraisers' profiles. */
function AfterDelivery({ report: { mode, mine, status, orderId, revised } }: { report: Report }) {
  if (mode !== 'MANUAL' || mine === false) return null
  return (
    <Card flush>
      {status === 'UNLOCKED' ? (
        <Cell
          icon='chat'
          title={humanCopy.ask}
          note={humanCopy.askNote}
          onClick={() => void nav.to('chat', { orderId, ask: '1' })}
        />
      ) : null}
      {revised ? (
        <Cell
          icon='doc'
          title={humanCopy.before}
          onClick={() => void nav.to('report', { reportNo: revised.reportNo })}
        />
      ) : null}
      <Cell icon='expert' title={humanCopy.all} onClick={() => void nav.to('article', { key: 'APPRAISERS' })} />
    </Card>
  )
}

/** What only an appraiser's report has, below its price. @param readOnly without the owner's next steps */
export const AppraisalSections = ({ report, readOnly }: { report: Report; readOnly: boolean }) => (
  <>
    <Revised report={report} />
    <Reconciliation report={report} />
    <Changes report={report} />
    {readOnly ? null : <AfterDelivery report={report} />}
  </>
)
