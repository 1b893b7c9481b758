import Taro from '@tarojs/taro'
import { rewardedAd } from '.'

it('a host that refuses to create an ad has none', async () => {
  jest.spyOn(Taro, 'createRewardedVideoAd').mockImplementation(() => {
    throw new Error('createRewardedVideoAd:fail invalid adUnitId')
  })
  expect(await rewardedAd.show('')).toBe('none')
})
