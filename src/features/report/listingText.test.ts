import { manualReport, unlockedReport } from '@/samples/report'
import { listingText } from './listingText'

it('is the account as its owner described it, the asking price and where to check', () => {
  expect(listingText({ ...unlockedReport, verifyUrl: 'https://g.example/v/1' }).split('\n')).toEqual([
    ...(unlockedReport.listing ?? []),
    '售价：¥2,560，可议',
    '估价验真：https://g.example/v/1',
    '请通过有担保的平台交易，先验号后付款。',
  ])
})

it('has the number where there is no address', () => {
  expect(listingText({ ...unlockedReport, verifyUrl: undefined })).toContain(`估价报告编号：${unlockedReport.reportNo}`)
})

it('asks the list price of a manual report, and never identifies the account', () => {
  const text = listingText({ ...manualReport, account: { idMasked: '548***090', name: '大号' } })
  expect(text).toContain('售价：¥3,090，可议')
  expect(text).not.toMatch(/548|大号|undefined|null/)
})
