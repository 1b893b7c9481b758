import { listingText } from './listingText'
import { manualReport, unlockedReport } from './samples'

it('is the account as its owner described it, the asking price and where to check', () => {
  expect(listingText({ ...unlockedReport, verifyUrl: 'https://g.example/v/1' }).split('\n')).toEqual([
    ...(unlockedReport.listing ?? []),
    '售价：¥2,560，可议',
    '估价验真：https://g.example/v/1',
    '请通过有担保的平台交易，先验号后付款。',
  ])
})

it('asks the reference price where no asking price was measured, and never identifies the account', () => {
  const { listFen: _, ...price } = manualReport.price
  const text = listingText({ ...manualReport, price, account: { idMasked: '548***090', name: '大号' } })
  expect(text).toContain('售价：¥2,950，可议')
  expect(text).not.toMatch(/548|大号|undefined|null/)
})
