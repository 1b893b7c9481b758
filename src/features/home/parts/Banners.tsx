import { ScrollView, View } from '@tarojs/components'
import type { Load } from '@/api/useLoad'
import { bannersHere } from '@/contract/sale'
import type { Banner, OpenPayStatus } from '@/contract/types'
import { nav } from '@/router/nav'
import { a11y } from '@/ui/a11y'
import { Icon } from '@/ui/Icon/Icon'
import { Picture } from '@/ui/Picture/Picture'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import { Failed } from './Failed'
import './Banners.scss'

function open({ link, linkType, title = '' }: Banner) {
  if (linkType === 'PAGE') void nav.url(link)
  if (linkType === 'WEB') void nav.to('webview', { url: link, title })
}

/** What stands on it is text, not part of the picture: it grows with the reader's own size and is spoken. */
function Slide({ banner, first }: { banner: Banner; first: boolean }) {
  return (
    <Tap className='home-banner' role='link' onClick={() => open(banner)}>
      <Picture alt='' className='home-banner__img' src={banner.image} mode='aspectFill' lazyLoad={!first} />
      <View className='home-banner__text'>{banner.title}</View>
    </Tap>
  )
}

function Line({ banner }: { banner: Banner }) {
  return (
    <Tap className='home-notice' role='link' onClick={() => open(banner)}>
      <Icon name='bell' size='s' />
      <View className='home-notice__text'>{banner.title}</View>
      {banner.linkType === 'NONE' ? null : <Icon name='chevron-right' size='s' />}
    </Tap>
  )
}

/** What the staff has put up: lines of notice, then pictures in a row that the finger moves. */
export function Banners({ load, status }: { load: Load<Banner[]>; status: OpenPayStatus | undefined }) {
  const { data: all, error, loading, reload } = load
  const data = all && bannersHere(all, status)
  if (!data && error && !loading) return <Failed reason={error.msg} onRetry={() => void reload()} />
  if (!data) return <View className='home-banners home-banners--wait' />
  const pictures = data.filter(({ image }) => image !== '')
  return (
    <>
      {data.map((one) => (one.image === '' ? <Line key={one.id} banner={one} /> : null))}
      {pictures.length > 0 ? (
        <ScrollView scrollX className='home-banners' {...a11y('region', { label: copy.banners })}>
          {pictures.map((one, i) => (
            <Slide key={one.id} banner={one} first={i === 0} />
          ))}
        </ScrollView>
      ) : null}
    </>
  )
}
