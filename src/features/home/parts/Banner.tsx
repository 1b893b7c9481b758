import { View } from '@tarojs/components'
import { visibleBanners } from '@/contract/sale'
import type { Banner as BannerData, OpenPayStatus } from '@/contract/types'
import { matchUrl } from '@/router/guard'
import { buildUrl } from '@/router/params'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import './Banner.scss'

/** Banner links open only pages of the app or the web view for external pages. */
function hrefOf({ link, linkType, title = '' }: BannerData): string | undefined {
  if (linkType === 'PAGE') return matchUrl(link)?.url ?? buildUrl('home')
  return linkType === 'WEB' ? buildUrl('webview', { url: link, title }) : undefined
}

/** The first of the staff's banners, as one line. */
export function Banner({
  all = [],
  status,
}: {
  all: readonly BannerData[] | undefined
  status: OpenPayStatus | undefined
}) {
  const [first] = visibleBanners(all, status)
  if (!first) return null
  return (
    <Pressable className='home-notice' role='link' href={hrefOf(first)}>
      <Icon name='bell' size='s' />
      <View className='home-notice__text'>{first.title}</View>
      {first.linkType === 'NONE' ? null : <Icon name='chevron-right' size='s' />}
    </Pressable>
  )
}
