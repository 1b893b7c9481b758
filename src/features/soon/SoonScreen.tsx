import { nav } from '@/router/nav'
import { Empty } from '@/ui/Empty/Empty'

/** A page whose feature is still to come: its frame and title are real, its content says so. */
export function SoonScreen() {
  return (
    <Empty art='soon' text='这个页面正在准备，很快开放' action={{ text: '返回首页', onClick: () => void nav.home() }} />
  )
}
