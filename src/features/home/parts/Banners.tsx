import { ScrollView, View } from '@tarojs/components'
import type { Load } from '@/api/useLoad'
import { visibleBanners } from '@/contract/sale'
import type { Banner, OpenPayStatus } from '@/contract/types'
import { matchUrl } from '@/router/guard'
import { buildUrl } from '@/router/params'
import { a11y } from '@/ui/a11y'
import { Icon } from '@/ui/Icon/Icon'
import { Picture } from '@/ui/Picture/Picture'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { BlockError } from './BlockError'
import './Banners.scss'

/** Banner links open only pages of the app or the web view for external pages. */
function hrefOf({ link, linkType, title = '' }: Banner): string | undefined {
  if (linkType === 'PAGE') return matchUrl(link)?.url ?? buildUrl('home')
  return linkType === 'WEB' ? buildUrl('webview', { url: link, title }) : undefined
}

/** The caption is text, not part of the picture, so that it scales with the text size and is read aloud. */
function Slide({ banner, first }: { banner: Banner; first: boolean }) {
  return (
    <Pressable className='home-banner' role='link' href={hrefOf(banner)}>
      <Picture alt='' className='home-banner__img' src={banner.image} mode='aspectFill' lazyLoad={!first} />
      <View className='home-banner__text'>{banner.title}</View>
    </Pressable>
  )
}

function NoticeLine({ banner }: { banner: Banner }) {
  return (
    <Pressable className='home-notice' role='link' href={hrefOf(banner)}>
      <Icon name='bell' size='s' />
      <View className='home-notice__text'>{banner.title}</View>
      {banner.linkType === 'NONE' ? null : <Icon name='chevron-right' size='s' />}
    </Pressable>
  )
}

/** Notices, then a carousel of banners scrolled by hand. */
export function Banners({ load, status }: { load: Load<Banner[]>; status: OpenPayStatus | undefined }) {
  const { data: all, error, loading, reload } = load
  const data = all && visibleBanners(all, status)
  if (!data && error && !loading) return <BlockError reason={error.msg} onRetry={() => void reload()} />
  if (!data) return <View className='home-banners home-banners--wait' />
  const pictures = data.filter(({ image }) => image !== '')
  return (
    <>
      {data.map((one) => (one.image === '' ? <NoticeLine key={one.id} banner={one} /> : null))}
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
