import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleGame } from '@/samples/game'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { alerts, box, shown, tap, type, untilGone, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { ChooseGameScreen } from './ChooseGameScreen'
import { copy } from './copy'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const games = [sampleGame('hok', '王者荣耀'), sampleGame('hsr', '崩坏：星穹铁道', { letter: 'B', status: 'MAINTAIN' })]

async function open(params: Record<string, string> = {}, saveGameFeedback = () => ({ id: 'w' })) {
  const gameList = ({ keyword = '' }: { keyword?: string }) =>
    keyword === '' ? games : games.filter(({ gameId }) => gameId === 'hsr' && keyword === 'xqtd')
  const server = fakeServer({ evaluation: { gameList, saveGameFeedback } })
  await openPage(page('evaluationChooseGame', ChooseGameScreen), '/pages/evaluation/chooseGame', params)
  await untilShown('王者荣耀')
  return server
}

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('initials find a game through the server; a game in maintenance says what to do and opens nothing', async () => {
  await open()
  await type(copy.search, 'xqtd')
  await untilGone('王者荣耀')
  await untilShown(copy.maintain)
  await tap('崩坏：星穹铁道')
  await untilShown('您填过的内容都还在')
  expect(navigations).toEqual([])
})

it('a missing game is requested with the searched text, which a refusal keeps', async () => {
  let refuse = true
  const server = await open({}, () => {
    if (refuse) throw new Refused(406, 'REQUEST_TOO_BUSY_PLEASE_WAIT', '每天最多提交 5 个游戏，请明天再来')
    return { id: 'w' }
  })
  await type(copy.search, '第五人格')
  await untilShown(copy.noMatch('第五人格'))
  await tap(copy.gameRequestOpen)
  await untilShown(copy.gameRequestName)
  await tap('安卓')
  await tap(copy.gameRequestSend)
  // a limit is always shown with the specification's text
  await untilShown('请求过于频繁，请稍后再试')
  expect(box(copy.gameRequestName).value).toBe('第五人格')
  refuse = false
  await tap(copy.gameRequestSend)
  await untilGone(copy.gameRequestName)
  const sent = server.seen.filter(({ call }) => call === 'evaluation.saveGameFeedback')
  expect(sent.map(({ req }) => req)).toEqual([sent[0]?.req, { gameName: '第五人格', platform: '安卓', remark: '' }])
})

it('asks for a name before it sends', async () => {
  const server = await open()
  await tap(copy.gameRequestOpen)
  await untilShown(copy.gameRequestName)
  await tap(copy.gameRequestSend)
  await untilShown(copy.gameRequestShort)
  expect(alerts().join()).toContain(copy.gameRequestShort)
  expect(server.seen.some(({ call }) => call === 'evaluation.saveGameFeedback')).toBe(false)
})

it('the letters lead to the games of a long list, popular ones first', async () => {
  const many = [...'ABCDEFGHIJKLMNOPQR'].map((letter) =>
    sampleGame(letter, `${letter} 游戏`, { letter, hot: letter === 'C' }),
  )
  fakeServer({ evaluation: { gameList: () => many } })
  await openPage(page('evaluationChooseGame', ChooseGameScreen), '/pages/evaluation/chooseGame', {})
  await untilShown('A 游戏')
  const order = ['热门', 'C 游戏', 'A 游戏', 'R 游戏'].map((text) => shown().indexOf(text))
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(document.querySelector('[role=navigation][aria-label=首字母]')?.textContent).toBe('ABDEFGHIJKLMNOPQR')
  expect(document.getElementById('games-R')?.textContent).toContain('R 游戏')
})
