import { View } from '@tarojs/components'
import { useState } from 'react'
import { APP_VERSION, VERSION_CODE } from '@/contract/constants'
import { textSizeClass } from '@/lib/textSize'
import type { ScreenProps } from '@/router/page'
import { Card } from '@/ui/Card/Card'
import { Chip } from '@/ui/Chip/Chip'
import { cx } from '@/ui/cx'
import type { Gallery } from '@/ui/gallery'
import { allGalleries } from './all'
import './gallery.scss'

const sizes = [
  { name: '标准', className: textSizeClass.normal },
  { name: '大字', className: textSizeClass.large },
  { name: '特大', className: textSizeClass.huge },
] as const

type SizeName = (typeof sizes)[number]['name']

/** All gallery states, for developers and screenshot tests. Production builds show their version only. */
export function GalleryScreen({ params }: ScreenProps<'test'>) {
  return PRODUCTION ? <Version /> : <Rooms show={params.show} />
}

function Version() {
  return <View className='gallery__version'>{`${APP_VERSION} (${VERSION_CODE})`}</View>
}

function Rooms({ show }: { show: string | undefined }) {
  const [galleries] = useState(allGalleries)
  const [title, setTitle] = useState(show)
  const [size, setSize] = useState<SizeName>('标准')
  const shown = galleries.find((g) => g.title === title) ?? galleries[0]
  return (
    <View className={cx('gallery', sizes.find((s) => s.name === size)?.className)}>
      <View className='gallery__tabs'>
        {galleries.map((g) => (
          <View key={g.title} className='gallery__tab'>
            <Chip role='tab' selected={g === shown} onClick={() => setTitle(g.title)}>
              {g.title}
            </Chip>
          </View>
        ))}
      </View>
      <View className='gallery__tabs'>
        {sizes.map(({ name }) => (
          <View key={name} className='gallery__tab'>
            <Chip role='tab' selected={name === size} onClick={() => setSize(name)}>
              {name}
            </Chip>
          </View>
        ))}
      </View>
      {shown ? <CallGroup key={shown.title} gallery={shown} /> : null}
    </View>
  )
}

function CallGroup({ gallery }: { gallery: Gallery }) {
  return (
    <View>
      {gallery.states.map(({ name, render }) => (
        <Card key={name} title={name} className='gallery__card'>
          {render()}
        </Card>
      ))}
      <View className='ui-end' />
    </View>
  )
}
