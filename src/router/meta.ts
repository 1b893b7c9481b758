import type { PageMeta } from '@/platform/meta/port'
import { type RouteName, routes } from './routes'

/** Spec §2: going to home sets the default home metadata. */
export const homeMeta: PageMeta = {
  title: '游戏账号估价专家',
  description: '选择游戏、填写账号信息，几分钟得到有依据的账号估价报告。',
}

/** Metadata of a page before it knows its data. */
export const defaultMeta = (name: RouteName): PageMeta => (name === 'home' ? homeMeta : { title: routes[name].title })
