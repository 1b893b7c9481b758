import { useEffect, useState } from 'react'
import { files } from '@/api'
import { useCall } from '@/api/useCall'
import type { Load } from '@/api/useLoad'
import { dateTimeText, timeText } from '@/contract/timeText'
import type { Report, Res } from '@/contract/types'
import { album } from '@/platform/album'
import type { FileKind } from '@/platform/album/port'
import { clipboard } from '@/platform/clipboard'
import { share } from '@/platform/share'
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
import { SaveStatus } from './parts/SaveStatus'
import { useHiddenFields } from './useHiddenFields'
import { type HideableField, type SaveState, useReportFile } from './useReportFile'
import './reportExport.scss'

const formats = ['PNG', 'PDF'] as const
/** refreshed before it expires after 15 minutes */
const URL_REFRESH_MS = 10 * 60_000

type ReportFile = Res<'evaluation', 'reportImage'>

interface BarProps {
  orderId: string
  format: FileKind
  load: Load<ReportFile>
  saving: SaveState
  onSave: () => void
}

/** WeChat's browser blocks downloads: a picture is saved by long press, a document opened in another browser. */
function WechatBrowserBar({ orderId, format, load: { data, reload } }: BarProps) {
  useEffect(() => {
    const timer = data && setTimeout(() => void reload(), URL_REFRESH_MS)
    return () => clearTimeout(timer)
  }, [data, reload])
  if (format === 'PNG') {
    const onClick = () => void nav.to('reportScreenShot', { orderId })
    return <ActionBar primary={{ text: copy.toPicture, onClick }} />
  }
  const url = data && share.link(files.address(data.url))
  const onClick = () => url && void clipboard.copy(url)
  return (
    <ActionBar
      note={data ? copy.linkNote(timeText(data.expireAt)) : copy.preparing}
      primary={{ text: copy.copyLink, icon: 'link', disabled: !url, onClick }}
    />
  )
}

/** Primary action for the chosen format. */
function DownloadBar(props: BarProps) {
  const { orderId, format, load, saving, onSave: onKeep } = props
  const { data, error } = load
  if (!data && error?.code === 'REPORT_LOCKED')
    return <ActionBar primary={{ text: copy.unlock, onClick: () => void nav.to('report', { orderId }) }} />
  if (!data && error) return <ActionBar primary={{ text: copy.again, onClick: () => void load.reload() }} />
  if (album.method() === 'none') return <WechatBrowserBar {...props} />
  const text = copy.get(format, data?.size === undefined ? undefined : copy.size(Math.ceil(data.size / 1024)))
  const loading = saving.kind === 'BUSY' || !data
  const outcome = saving.kind === 'IDLE' ? undefined : <SaveStatus saving={saving} format={format} onAgain={onKeep} />
  return (
    <ActionBar note={data ? outcome : copy.preparing} primary={{ text, icon: 'download', loading, onClick: onKeep }} />
  )
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
  const [hide, setHide] = useHiddenFields()
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
