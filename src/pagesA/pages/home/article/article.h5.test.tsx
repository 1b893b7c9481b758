import { fakeStorage } from '@/platform/storage/fake'
import { startSession } from '@/session/store'
import { fakeServer } from '../../../../../test/fakes/api'
import { navigations } from '../../../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../../../test/fakes/screen'
import { openPage } from '../../../../../test/fakes/taro'
import ArticlePage from './index'

jest.mock('@tarojs/taro', () => require('../../../../../test/fakes/navigation').fakeTaro())

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
})

const open = (key: string) => openPage(ArticlePage, '/pagesA/pages/home/article/index', key ? { key } : {})

it('opens a document by its key without a login, with version, date and the way on', async () => {
  const updatedAt = Date.UTC(2026, 10, 21)
  const { seen } = fakeServer({
    app: { documentGet: () => ({ title: '隐私政策', html: '<p class="doc-p">一</p>', version: '1.0', updatedAt }) },
  })
  await open('PRIVACY')
  await untilShown('版本 1.0 · 更新于 2026-11-21')
  expect(seen[0]?.req).toEqual({ key: 'PRIVACY' })
  expect(document.title).toBe('隐私政策')
  await tap('用户协议')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pagesA/pages/home/article/index?key=USER_AGREEMENT'])
})

it.each(['NOTHING', 'constructor'])('an unknown key (%s) asks nobody and leads home', async (key) => {
  const { seen } = fakeServer({})
  await open(key)
  expect(shown()).toContain('没有找到这份文档')
  expect(seen).toEqual([])
})
