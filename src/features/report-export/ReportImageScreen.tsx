import { View } from '@tarojs/components'
import { useRef } from 'react'
import { files } from '@/api'
import type { Res } from '@/contract/types'
import { album } from '@/platform/album'
import { clipboard } from '@/platform/clipboard'
import { share } from '@/platform/share'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { cx } from '@/ui/cx'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Picture } from '@/ui/Picture/Picture'
import { Skeleton, SkeletonBlock } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { HiddenFieldsPicker } from './parts/HiddenFieldsPicker'
import { ReportUnavailable } from './parts/ReportUnavailable'
import { SaveStatus } from './parts/SaveStatus'
import { useHiddenFields } from './useHiddenFields'
import { type HideableField, type SaveState, useReportFile } from './useReportFile'
import './reportExport.scss'

type ImageFile = Res<'evaluation', 'reportImage'>

/** The poster as an image element, so that a long press can save it; its space is reserved while it loads. */
export function Poster({ picture, old = false }: { picture: ImageFile; old?: boolean }) {
  const { url, width, height } = picture
  return (
    <View className={cx('export-poster', old && 'export-poster--old')}>
      <View className='export-poster__frame' style={{ paddingBottom: `${(height / width) * 100}%` }}>
        <Picture
          className='export-poster__image'
          src={files.address(url)}
          mode='scaleToFill'
          showMenuByLongpress
          alt={copy.pictureAlt}
        />
      </View>
    </View>
  )
}

const PosterSkeleton = () => (
  <Skeleton>
    <View className='export-poster'>
      <View className='export-poster__bones'>
        <SkeletonBlock w={40} kind='title' />
        <SkeletonBlock w={60} kind='price' />
        <SkeletonBlock kind='block' />
        <SkeletonBlock kind='block' />
        <SkeletonBlock w={80} />
        <SkeletonBlock w={60} />
      </View>
    </View>
  </Skeleton>
)

interface BarProps {
  orderId: string
  picture: ImageFile | undefined
  saving: SaveState
  onSave: () => void
}

/** Primary action: save the picture, or copy its link where downloads are blocked. */
function SaveBar({ orderId, picture, saving, onSave: onKeep }: BarProps) {
  const method = album.method()
  const more = { text: copy.more, onClick: () => void nav.to('reportDownload', { orderId }) }
  const disabled = picture === undefined
  if (method === 'none') {
    const text = copy.copyLink
    const url = picture && share.link(files.address(picture.url))
    const onClick = () => url && void clipboard.copy(url)
    return <ActionBar note={copy.otherBrowser} primary={{ text, icon: 'link', disabled, onClick }} secondary={more} />
  }
  const text = method === 'album' ? copy.toAlbum : copy.download
  const loading = saving.kind === 'BUSY'
  const note = <SaveStatus saving={saving} format='PNG' onAgain={onKeep} />
  return (
    <ActionBar
      note={saving.kind === 'IDLE' ? undefined : note}
      primary={{ text, icon: 'download', disabled, loading, onClick: onKeep }}
      secondary={more}
    />
  )
}

interface ContentProps extends BarProps {
  hide: readonly HideableField[]
  onHide: (hide: HideableField[]) => void
  /** the previous picture, shown while the next one is rendered */
  old?: boolean
}

export function ReportImageContent({ hide, onHide, old, ...bar }: ContentProps) {
  const { picture } = bar
  return (
    <>
      <HiddenFieldsPicker hide={hide} onHide={onHide} />
      <View className='export-hold'>{copy.hold}</View>
      {picture ? <Poster picture={picture} old={old} /> : <PosterSkeleton />}
      <View className='ui-end' />
      <SaveBar {...bar} />
    </>
  )
}

function ReportImage({ orderId }: { orderId: string }) {
  const [hide, setHide] = useHiddenFields()
  const { load, saving, save } = useReportFile({ orderId, format: 'PNG', hide })
  const { data, error } = load
  const before = useRef(data)
  before.current = data ?? before.current
  if (!before.current && error?.status === 404) return <ReportUnavailable error={error} />
  const draw = (picture: ImageFile | undefined) => (
    <ReportImageContent
      {...{ orderId, picture, saving, hide }}
      old={data === undefined}
      onHide={setHide}
      onSave={save}
    />
  )
  return (
    <LoadBoundary load={{ ...load, data: before.current }} skeleton={draw(undefined)}>
      {draw}
    </LoadBoundary>
  )
}

/** The report as one tall picture, with the fields to hide and the save action. */
export function ReportImageScreen({ params: { orderId } }: ScreenProps<'reportScreenShot'>) {
  return orderId ? <ReportImage orderId={orderId} /> : <ReportUnavailable />
}
