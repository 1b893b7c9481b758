import { askingPriceOf } from './asking-price'

test.each<[string, number | undefined]>([
  ['安卓QQ V8 典藏3 皮肤260 价格：3200元 可小刀', 320_000],
  ['出售王者号，一口价 ¥1,288.50，不议价', 128_850],
  ['售价3.2k 星耀二', 320_000],
  ['标价为1.2万 皮肤 400', 1_200_000],
  ['￥４５００ 国标武则天', 450_000],
  ['原价 5000，现价3800，急出', 380_000],
  ['氪金 ¥20000 价格 6500', 650_000],
  ['价格 2000 ……… 一口价2000', 200_000],
  ['诚心价:2500 皮肤多', 250_000],
  // invisible characters, symbols and colloquial numbers
  ['售价12\u200b00元', 120_000],
  ['¥1\u200b200', 120_000],
  ['售价👉1200 ✅急出', 120_000],
  ['💰一口价❗️❗️¥1200', 120_000],
  ['【售价】1200', 120_000],
  ['售价1️⃣2️⃣0️⃣0️⃣', 120_000],
  ['售价3k5', 350_000],
  ['售价1万2', 1_200_000],
  ['售价1w2', 1_200_000],
  ['售价3千5百', 350_000],
  ['售价1 w', 1_000_000],
  ['售价1万二', undefined],
  ['售价1w23', undefined],
  ['原价👉¥5000', undefined],
  ['价格$500', undefined],
  // several prices, a range, or another price than the one asked for
  ['价格 3000 全包 价格 3500', undefined],
  ['价格 3000-3500 看情况', undefined],
  ['¥3000 或 ¥3500', undefined],
  ['原价 ¥5000', undefined],
  ['入手价格 5000', undefined],
  ['成交价 5000 左右的号', undefined],
  ['充值 ¥5000，点券 3000', undefined],
  ['价格面议 皮肤 260 英雄 108', undefined],
  ['充值了￥5000 的号', undefined],
  // another currency, not money, or no price of an account
  ['价格 500 美元', undefined],
  ['价格 500usd', undefined],
  ['报价 80% 起', undefined],
  ['一口价 0.5', undefined],
  ['价格 99999999999', undefined],
  ['皮肤价值 5000 的号', undefined],
  ['', undefined],
])('%j asks for %s fen', (text, fen) => {
  expect(askingPriceOf(text)).toBe(fen)
})
