import type { ReportCard, Req } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleGame as game } from '@/samples/game'
import { sampleCard } from '@/samples/reportCard'
import { startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { FeaturedReportsScreen } from './FeaturedReportsScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

type Ask = Req<'app', 'excellentReportList'>
async function open(answer: (req: Ask) => readonly ReportCard[], params: { gameId?: string } = {}) {
  navigations.length = 0
  startSession(fakeStorage())
  const server = fakeServer({
    app: {
      excellentReportList: (req) => {
        const list = [...answer(req)]
        return { list, total: list.length, pageNo: 1, pageSize: 10 }
      },
      homeGameList: () => [game('hok', '王者荣耀'), game('naraka', '永劫无间')],
    },
  })
  await openPage(page('reportHighQuality', FeaturedReportsScreen), '/pages/evaluation/report/highQuality', params)
  return server
}

it('shows who agreed, masked, and why; each opens to be read, without a login', async () => {
  await open(() => [sampleCard])
  await untilShown(sampleCard.title)
  for (const text of ['经用户同意展示', '合成数据', '峡**客', '为什么入选', '可信度 94 分'])
    expect(shown()).toContain(text)
  const opened = document.querySelector<HTMLElement>('.ex-head__title')
  opened?.click()
  await until(() => navigations.length > 0, 'the report')
  expect(navigations.pop()).toBe(
    `push /pages/evaluation/report/wxIframe?reportNo=${sampleCard.reportNo}&shareToken=excellent`,
  )
})

it('lists one game at a time; an empty list says so and keeps the link to an own valuation', async () => {
  await open(({ gameId }) => (gameId === 'naraka' ? [] : [sampleCard]))
  await untilShown(sampleCard.title)
  await tap('永劫无间')
  await untilShown('这里还没有报告')
  expect(shown()).not.toContain(sampleCard.title)
  await tap('全部')
  await untilShown(sampleCard.title)
  await tap('估我的号')
  await until(() => navigations.length > 0, 'the choice of a game')
  expect(navigations[0]).toContain('/pages/')
})

it('a failed connection is reported and can be retried', async () => {
  let broken = true
  await open(() => {
    if (broken) throw new Refused(503, 'SERVICE_UNAVAILABLE')
    return [sampleCard]
  })
  await until(() => find('点击重试') !== undefined, 'the failure')
  broken = false
  // a tap right after the failure shares its answer: a person taps again
  await until(() => {
    find('点击重试')?.click()
    return shown().includes(sampleCard.title)
  }, 'the list')
})
