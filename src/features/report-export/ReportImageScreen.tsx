import { View } from '@tarojs/components'
import { useRef, useState } from 'react'
import { files } from '@/api'
import type { Res } from '@/contract/types'
import { album } from '@/platform/album'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Picture } from '@/ui/Picture/Picture'
import { Skeleton, SkeletonBlock } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { HiddenFieldsPicker } from './parts/HiddenFieldsPicker'
import { ReportUnavailable } from './parts/ReportUnavailable'
import { SaveBar } from './parts/SaveBar'
import { type HideableField, type SaveState, useReportFile } from './useReportFile'
import './reportExport.scss'

type ImageFile = Res<'evaluation', 'reportImage'>

/** The poster as an image element, so that a long press can save it; its space is reserved while it loads. */
function Poster({ picture }: { picture: ImageFile }) {
  const { url, width, height } = picture
  return (
    <View className='export-poster'>
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

interface ContentProps {
  orderId: string
  /** the previous one is shown while the next is rendered */
  picture: ImageFile | undefined
  file: ImageFile | undefined
  saving: SaveState
  hide: readonly HideableField[]
  onHide: (hide: HideableField[]) => void
  onSave: () => void
}

export function ReportImageContent({ orderId, picture, file, saving, hide, onHide, onSave }: ContentProps) {
  return (
    <>
      <HiddenFieldsPicker hide={hide} onHide={onHide} />
      <View className='export-hold'>{copy.hold}</View>
      {picture ? <Poster picture={picture} /> : <PosterSkeleton />}
      <View className='ui-end' />
      <SaveBar
        {...{ file, saving, onSave }}
        format='PNG'
        text={album.method() === 'album' ? copy.toAlbum : copy.download}
        secondary={{ text: copy.more, onClick: () => void nav.to('reportDownload', { orderId }) }}
      />
    </>
  )
}

function ReportImage({ orderId }: { orderId: string }) {
  const [hide, setHide] = useState<HideableField[]>([])
  const { load, saving, save } = useReportFile({ orderId, format: 'PNG', hide })
  const { data: file, error } = load
  const before = useRef(file)
  before.current = file ?? before.current
  if (!before.current && error?.status === 404) return <ReportUnavailable error={error} />
  const draw = (picture: ImageFile | undefined) => (
    <ReportImageContent {...{ orderId, picture, file, saving, hide }} onHide={setHide} onSave={save} />
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
