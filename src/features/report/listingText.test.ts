import { listingText } from './listingText'
import { manualReport, unlockedReport } from './samples'

it('names the assets most valuable first, the asking price, the risks and where to check', () => {
  expect(listingText({ ...unlockedReport, verifyUrl: 'https://g.example/v/1' }).split('\n')).toEqual([
    '【王者荣耀】安卓微信 V8 荣耀典藏 ×3 限定传说 ×9 无双 ×2',
    '另有：传说 ×24、史诗及以下 ×260、段位与省标、碎片与点券',
    '如实说明：不可二次实名，买家可能被找回',
    '售价：¥2,560，可议',
    '估价报告（可验真）：https://g.example/v/1',
    '请通过有担保的平台交易，先验号后付款。',
  ])
})

it('asks the reference price where no asking price was measured, and never identifies the account', () => {
  const { listFen: _, ...price } = manualReport.price
  const text = listingText({ ...manualReport, price, account: { idMasked: '548***090', name: '大号' } })
  expect(text).toContain('售价：¥2,950，可议')
  expect(text).not.toMatch(/548|大号|undefined|null/)
})

it('names the assets of an appraiser’s report too, and no fault in its title', () => {
  const [title = ''] = listingText(manualReport).split('\n')
  expect(title).toMatch(/荣耀典藏 ×3 限定传说 ×9 无双 ×2$/)
  expect(title).not.toContain('不可二次实名')
})
