import type { PageMeta } from '@/platform/meta/port'
import { type RouteName, routes } from './routes'

/** Spec §2: going to home sets the default home metadata. */
export const homeMeta: PageMeta = {
  title: '游戏账号估价专家',
  description: '选择游戏、填写账号信息，几分钟得到有依据的账号估价报告。',
}

/** Share titles for pages whose own title says too little to someone who does not know the app. */
const shareTitles: { readonly [N in RouteName]?: string } = {
  evaluation: '您的游戏账号值多少？选游戏，算一算',
  reportHighQuality: '看看别人的账号值多少：优秀估价报告',
  couponCenter: '领估价优惠券',
  news: '游戏账号资讯和攻略',
  listingGuidelines: '账号上架指南：截图、渠道和防骗',
}

/** Metadata of a page before it knows its data. */
export const defaultMeta = (name: RouteName): PageMeta =>
  name === 'home' ? homeMeta : { title: routes[name].title, shareTitle: shareTitles[name] }
