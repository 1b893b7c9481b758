import { hooks } from '@tarojs/shared'
import { installPageGuard } from '.'

it('starts allowed pages only, and silences every other lifecycle of a blocked one', () => {
  const asked: string[] = []
  installPageGuard((url) => {
    asked.push(url)
    return !url.includes('mine')
  })
  const ran: string[] = []
  const names = ['onLoad', 'onShow', 'onReady', 'onHide', 'onUnload']
  const config = Object.fromEntries(names.map((name) => [name, () => void ran.push(name)]))
  hooks.call('modifyPageObject', config as never)
  const live = (route: string) => {
    const page = { route }
    for (const name of names) (config[name] as (q?: object) => void).call(page as never, { id: 'a%20b' })
  }
  live('pages/mine/index')
  expect(ran).toEqual([])
  live('pages/home/index')
  expect(ran).toEqual(names)
  expect(asked).toEqual(['/pages/mine/index?id=a%20b', '/pages/home/index?id=a%20b'])
})
