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
import { Loaded } from '@/ui/Loaded/Loaded'
import { Picture } from '@/ui/Picture/Picture'
import { Bone, Skeleton } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { Gone } from './parts/Gone'
import { HideWhat } from './parts/HideWhat'
import { Outcome } from './parts/Outcome'
import { type Hide, type Saving, useFile } from './useFile'
import { useHide } from './useHide'
import './keep.scss'

type Drawn = Res<'evaluation', 'reportImage'>

/** The poster as it is, so that holding it saves it; its place is kept before it comes. */
export function Poster({ picture, old = false }: { picture: Drawn; old?: boolean }) {
  const { url, width, height } = picture
  return (
    <View className={cx('keep-poster', old && 'keep-poster--old')}>
      <View className='keep-poster__frame' style={{ paddingBottom: `${(height / width) * 100}%` }}>
        <Picture
          className='keep-poster__image'
          src={files.address(url)}
          mode='scaleToFill'
          showMenuByLongpress
          alt={copy.pictureAlt}
        />
      </View>
    </View>
  )
}

const Waiting = () => (
  <Skeleton>
    <View className='keep-poster'>
      <View className='keep-poster__bones'>
        <Bone w={40} kind='title' />
        <Bone w={60} kind='price' />
        <Bone kind='block' />
        <Bone kind='block' />
        <Bone w={80} />
        <Bone w={60} />
      </View>
    </View>
  </Skeleton>
)

interface BarProps {
  orderId: string
  picture: Drawn | undefined
  saving: Saving
  onKeep: () => void
}

/** One thing to do: save it, or, where nothing can be downloaded, carry its address to another browser. */
function Bar({ orderId, picture, saving, onKeep }: BarProps) {
  const way = album.way()
  const more = { text: copy.more, onClick: () => void nav.to('reportDownload', { orderId }) }
  const disabled = picture === undefined
  if (way === 'none') {
    const text = copy.copyLink
    const url = picture && share.link(files.address(picture.url))
    const onClick = () => url && void clipboard.copy(url)
    return <ActionBar note={copy.otherBrowser} primary={{ text, icon: 'link', disabled, onClick }} secondary={more} />
  }
  const text = way === 'album' ? copy.toAlbum : copy.download
  const loading = saving.kind === 'BUSY'
  const note = <Outcome saving={saving} format='PNG' onAgain={onKeep} />
  return (
    <ActionBar
      note={saving.kind === 'IDLE' ? undefined : note}
      primary={{ text, icon: 'download', disabled, loading, onClick: onKeep }}
      secondary={more}
    />
  )
}

interface ContentProps extends BarProps {
  hide: readonly Hide[]
  onHide: (hide: Hide[]) => void
  /** the picture of before, while the next is drawn */
  old?: boolean
}

export function PictureContent({ hide, onHide, old, ...bar }: ContentProps) {
  const { picture } = bar
  return (
    <>
      <HideWhat hide={hide} onHide={onHide} />
      <View className='keep-hold'>{copy.hold}</View>
      {picture ? <Poster picture={picture} old={old} /> : <Waiting />}
      <View className='ui-end' />
      <Bar {...bar} />
    </>
  )
}

function Known({ orderId }: { orderId: string }) {
  const [hide, setHide] = useHide()
  const { load, saving, keep } = useFile({ orderId, format: 'PNG', hide })
  const { data, error } = load
  const before = useRef(data)
  before.current = data ?? before.current
  if (!before.current && error?.status === 404) return <Gone error={error} />
  const draw = (picture: Drawn | undefined) => (
    <PictureContent {...{ orderId, picture, saving, hide }} old={data === undefined} onHide={setHide} onKeep={keep} />
  )
  return (
    <Loaded load={{ ...load, data: before.current }} skeleton={draw(undefined)}>
      {draw}
    </Loaded>
  )
}

/** The report as one tall picture: what to leave out, and saving it. */
export function PictureScreen({ params: { orderId } }: ScreenProps<'reportScreenShot'>) {
  return orderId ? <Known orderId={orderId} /> : <Gone />
}
