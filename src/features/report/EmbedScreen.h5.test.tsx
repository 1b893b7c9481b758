import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { startSession } from '@/session/store'
import { fakeServer } from '../../../test/fakes/api'
import { moves, stack } from '../../../test/fakes/navigation'
import { find, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { EmbedScreen } from './EmbedScreen'
import { visited } from './samples'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

it('a report opened from the list has a way back and a next step; inside the page of others it has none', async () => {
  const embedded = async () => {
    moves.length = 0
    startSession(fakeStorage())
    fakeServer({ evaluation: { reportGet: () => visited } })
    const shown = await openPage(
      page('reportWxIframe', EmbedScreen, { title: null }),
      '/pages/evaluation/report/wxIframe',
      { reportNo: visited.reportNo, shareToken: 'excellent' },
    )
    await untilShown('报告信息')
    return shown
  }
  const alone = await embedded()
  expect(find('返回')).toBeUndefined()
  expect(find('我也要估价')).toBeUndefined()
  await alone.unload()
  stack.push('pages/evaluation/report/highQuality', 'pages/evaluation/report/wxIframe')
  try {
    await embedded()
    await tap('我也要估价')
    await until(() => moves.length > 0, 'the choice of a game')
    await tap('返回')
    await until(() => moves.length > 1, 'the list')
    expect(moves[1]).toBe('back 1')
  } finally {
    stack.length = 0
  }
})
