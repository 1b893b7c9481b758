import { useState } from 'react'
import { useCall } from '@/api/useCall'
import type { Load } from '@/api/useLoad'
import { dateTimeText } from '@/contract/timeText'
import type { Report, Res } from '@/contract/types'
import type { FileKind } from '@/platform/album/port'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { Choice } from '@/ui/Sheet/Choice'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { HiddenFieldsPicker } from './parts/HiddenFieldsPicker'
import { ReportUnavailable } from './parts/ReportUnavailable'
import { SaveBar } from './parts/SaveBar'
import { type HideableField, type SaveState, useReportFile } from './useReportFile'
import './reportExport.scss'

const formats = ['PNG', 'PDF'] as const
interface BarProps {
  orderId: string
  format: FileKind
  load: Load<Res<'evaluation', 'reportImage'>>
  saving: SaveState
  onSave: () => void
}

/** Primary action for the chosen format. */
function DownloadBar({ orderId, format, load: { data, error, reload }, saving, onSave }: BarProps) {
  if (!data && error?.code === 'REPORT_LOCKED')
    return <ActionBar primary={{ text: copy.unlock, onClick: () => void nav.to('report', { orderId }) }} />
  if (!data && error) return <ActionBar primary={{ text: copy.again, onClick: () => void reload() }} />
  const text = copy.get(format, data?.size === undefined ? undefined : copy.size(Math.ceil(data.size / 1024)))
  return <SaveBar {...{ file: data, format, text, saving, onSave }} />
}

interface ContentProps extends BarProps {
  report: Pick<Report, 'title' | 'reportNo' | 'validUntil' | 'status'>
  hide: readonly HideableField[]
  onFormat: (format: FileKind) => void
  onHide: (hide: HideableField[]) => void
}

export function DownloadContent({ report, hide, onFormat, onHide, ...bar }: ContentProps) {
  const { format, load } = bar
  const { title, reportNo, validUntil, status } = report
  const error = load.data ? undefined : load.error
  return (
    <>
      <Card flush title={copy.about}>
        <Cell title={title} note={`${copy.reportNo} ${reportNo}`} />
        <Cell
          title={copy.validUntil}
          value={status === 'EXPIRED' ? copy.expired(validUntil) : dateTimeText(validUntil)}
        />
      </Card>
      <Card flush title={copy.formats}>
        {formats.map((kind) => (
          <Choice
            key={kind}
            kind='radio'
            on={kind === format}
            note={copy.formatNote[kind]}
            onClick={() => onFormat(kind)}
          >
            {copy.format[kind]}
          </Choice>
        ))}
      </Card>
      {error ? <Notice tone='warn' text={error.code === 'REPORT_LOCKED' ? copy.locked : error.detail} /> : null}
      <HiddenFieldsPicker hide={hide} onHide={onHide} />
      <Notice icon='shield' text={copy.proof} />
      <DownloadBar {...bar} />
    </>
  )
}

function ReportDownload({ report, orderId }: { report: Report; orderId: string }) {
  const [format, setFormat] = useState<FileKind>(report.status === 'LOCKED' ? 'PNG' : 'PDF')
  const [hide, setHide] = useState<HideableField[]>([])
  const { load, saving, save } = useReportFile({ orderId, format, hide })
  return (
    <DownloadContent
      {...{ report, orderId, format, hide, load, saving }}
      onFormat={setFormat}
      onHide={setHide}
      onSave={save}
    />
  )
}

function Download({ orderId }: { orderId: string }) {
  const load = useCall('evaluation', 'reportGet', { orderId })
  if (!load.data && load.error?.status === 404) return <ReportUnavailable error={load.error} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows />}>
      {(report) => <ReportDownload report={report} orderId={orderId} />}
    </LoadBoundary>
  )
}

/** Exports the report as a file: format, hidden fields, size and validity. */
export function DownloadScreen({ params: { orderId } }: ScreenProps<'reportDownload'>) {
  return orderId ? <Download orderId={orderId} /> : <ReportUnavailable />
}
