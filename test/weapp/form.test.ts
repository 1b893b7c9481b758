import path from 'node:path'
import budgets from '../../bench/budgets.json'
import { photo, storedPicture } from '../e2e/pictures'
import { login } from '../fakes/calls'
import { pictures } from './launch'
import { app, server, setUpPhone } from './setup'
import { fillLine } from './steps'

/** The form in the mini-program: back navigation from a sheet, pictures from the album. */

const FORM = 'pages/evaluation/fillInInfo/index'

setUpPhone()

async function toTheForm(mobile: string) {
  await app.signIn(await login(server, mobile))
  await app.start()
  await app.tap(app.top.locator('.home-game', { hasText: '王者荣耀' }))
  await app.tap('填完整，估得更准')
  await app.at(FORM)
}

it('a sheet opens within its setData budget; going back closes it and keeps the form, then leaves the form', async () => {
  await toTheForm('13800138031')
  await fillLine(app, '皮肤数', '200')
  const sheet = app.top.locator('.ui-sheet__panel')
  const skins = app.top.locator('.ui-field', { hasText: '皮肤数' }).locator('input')
  for (const what of ['请选择', '粘贴文字']) {
    const opened = await app.measure(() => app.tap(what))
    await sheet.waitFor()
    const closed = await app.measure(() => app.back())
    await sheet.waitFor({ state: 'detached' })
    console.log(`${what}: ${opened.bytes} bytes, closed ${closed.bytes} bytes`)
    for (const { bytes } of [opened, closed]) expect(bytes).toBeLessThanOrEqual(budgets.weapp.sheetSetDataBytes.max)
    expect(await app.route()).toBe(FORM)
    expect(await skins.inputValue()).toBe('200')
  }
  await app.back()
  expect(await app.route()).toBe('pages/evaluation/index')
})

it('pictures: chosen, re-encoded and uploaded; cancelled, refused, interrupted, and kept over a cold start', async () => {
  await toTheForm('13800138032')
  const big = (await photo(app.page, 3_000_000)).toString('base64')
  const program = Buffer.concat([Buffer.from('MZ\x90\0\x03', 'latin1'), Buffer.alloc(5000)]).toString('base64')
  const tiles = app.top.locator('.ui-images__tile:not(.ui-images__add)')
  const add = () => app.tap('添加图片')
  await app.tap('补充材料')
  await add()
  expect(await app.toasts()).toEqual([])
  await app.set({ album: [big], privacyDeclared: false })
  await add()
  expect(await app.toasts()).toEqual(['打不开相册，请稍后再试'])
  expect(await tiles.count()).toBe(0)

  // after the user's refusal the app explains it in place and links to the settings
  await app.set({ privacyDeclared: true, albumAllowed: false })
  await add()
  await app.see('没有相册或相机的使用权限，允许后才能添加图片')
  await app.tap('去设置')
  expect(await tiles.count()).toBe(0)

  await add()
  await app.top.getByLabel('第 1 张，查看大图').waitFor()
  const { bytes, longSide, tells } = storedPicture(server.dataDir)
  expect([longSide, tells]).toEqual([1600, false])
  expect(bytes).toBeLessThan(3_000_000)

  await app.set({ album: [program] })
  await add()
  await app.see('不是 jpg、png 或 webp 图片')
  await app.tap(app.top.getByLabel('第 2 张，删除'))
  await app.set({ album: [big], online: false })
  await add()
  const again = app.top.getByLabel('第 2 张，重试')
  await again.waitFor()
  await app.set({ online: true })
  await app.tap(again)
  await app.top.getByLabel('第 2 张，查看大图').waitFor()
  await tiles.first().scrollIntoViewIfNeeded()
  await app.screenshot(path.join(pictures(), 'form-pictures.png'))

  await app.start(FORM, { gameId: 'hok', mode: 'AI' })
  await app.top.getByLabel('第 2 张，查看大图').waitFor()
  const img = tiles.first().locator('img')
  expect(await img.evaluate((e: HTMLImageElement) => e.decode().then(() => e.naturalWidth))).toBe(1600)
})
