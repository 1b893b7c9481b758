import { useEffect, useState } from 'react'
import { api, files } from '@/api'
import { type Load, useLoad } from '@/api/useLoad'
import { dateTimeText, timeText } from '@/contract/format'
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
import { Loaded } from '@/ui/Loaded/Loaded'
import { Notice } from '@/ui/Notice/Notice'
import { Choice } from '@/ui/Sheet/Choice'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { Gone } from './parts/Gone'
import { HideWhat } from './parts/HideWhat'
import { Outcome } from './parts/Outcome'
import { type Hide, type Saving, useFile } from './useFile'
import { useHide } from './useHide'
import './keep.scss'

const kinds = ['PNG', 'PDF'] as const
/** ms after which an address is asked for anew: it lives 15 minutes */
const RENEW = 10 * 60_000

type File = Res<'evaluation', 'reportImage'>

interface BarProps {
  orderId: string
  format: FileKind
  load: Load<File>
  saving: Saving
  onKeep: () => void
}

/** WeChat's browser takes no downloads: a picture is held, a document opened elsewhere. */
function ByHand({ orderId, format, load: { data, reload } }: BarProps) {
  useEffect(() => {
    const timer = data && setTimeout(() => void reload(), RENEW)
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

/** The one thing to do with the chosen format. */
function Bar(props: BarProps) {
  const { orderId, format, load, saving, onKeep } = props
  const { data, error } = load
  if (!data && error?.code === 'REPORT_LOCKED')
    return <ActionBar primary={{ text: copy.unlock, onClick: () => void nav.to('report', { orderId }) }} />
  if (!data && error) return <ActionBar primary={{ text: copy.again, onClick: () => void load.reload() }} />
  if (album.way() === 'none') return <ByHand {...props} />
  const text = copy.get(format, data?.size === undefined ? undefined : copy.size(Math.ceil(data.size / 1024)))
  const loading = saving.kind === 'BUSY' || !data
  const outcome = saving.kind === 'IDLE' ? undefined : <Outcome saving={saving} format={format} onAgain={onKeep} />
  return (
    <ActionBar note={data ? outcome : copy.preparing} primary={{ text, icon: 'download', loading, onClick: onKeep }} />
  )
}

interface ContentProps extends BarProps {
  report: Pick<Report, 'title' | 'reportNo' | 'validUntil' | 'status'>
  hide: readonly Hide[]
  onFormat: (format: FileKind) => void
  onHide: (hide: Hide[]) => void
}

export function DownloadContent({ report, hide, onFormat, onHide, ...bar }: ContentProps) {
  const { format, load } = bar
  const { title, reportNo, validUntil, status } = report
  const fault = load.data ? undefined : load.error
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
        {kinds.map((kind) => (
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
      {fault ? <Notice tone='warn' text={fault.code === 'REPORT_LOCKED' ? copy.locked : fault.detail} /> : null}
      <HideWhat hide={hide} onHide={onHide} />
      <Notice icon='shield' text={copy.proof} />
      <Bar {...bar} />
    </>
  )
}

function Found({ report, orderId }: { report: Report; orderId: string }) {
  const [format, setFormat] = useState<FileKind>(report.status === 'LOCKED' ? 'PNG' : 'PDF')
  const [hide, setHide] = useHide()
  const { load, saving, keep } = useFile({ orderId, format, hide })
  return (
    <DownloadContent
      {...{ report, orderId, format, hide, load, saving }}
      onFormat={setFormat}
      onHide={setHide}
      onKeep={keep}
    />
  )
}

function Known({ orderId }: { orderId: string }) {
  const load = useLoad(`report:${orderId}`, (scope) => api.evaluation.reportGet({ orderId }, { quiet: true, scope }))
  if (!load.data && load.error?.status === 404) return <Gone error={load.error} />
  return (
    <Loaded load={load} skeleton={<SkeletonRows />}>
      {(report) => <Found report={report} orderId={orderId} />}
    </Loaded>
  )
}

/** The report as a file: which one, what to leave out, how large, how long it counts. */
export function DownloadScreen({ params: { orderId } }: ScreenProps<'reportDownload'>) {
  return orderId ? <Known orderId={orderId} /> : <Gone />
}
