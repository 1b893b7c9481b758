import type { GameItem } from '@/contract/types'
import { sampleGame } from '@/samples/game'
import { recentGames, rememberGame, searchGames } from './games'

const hok = sampleGame('hok', '王者荣耀')
const val = sampleGame('val', '无畏契约')
const ys = sampleGame('ys', '原神', { letter: 'Y' })
const other = sampleGame('x', '1号游戏', { letter: '#' })
const all = [ys, hok, val, other]
const names = (games: GameItem[]) => games.map((g) => g.name)

it('finds by part of a name, by letter, and takes what the server found by pinyin', () => {
  expect(names(searchGames(all, ' 荣 耀 '))).toEqual(['王者荣耀'])
  expect(names(searchGames(all, 'w'))).toEqual(['王者荣耀', '无畏契约'])
  expect(searchGames(all, 'yuansh')).toEqual([])
  expect(names(searchGames(all, 'yuansh', [ys]))).toEqual(['原神'])
  expect(searchGames(all, '  ')).toHaveLength(4)
})

it('remembers the newest four games once each', () => {
  for (const id of ['a', 'b', 'c', 'a', 'd', 'e']) rememberGame(id)
  expect(recentGames()).toEqual(['e', 'd', 'a', 'c'])
})
