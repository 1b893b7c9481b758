import { type ApiError, isShown } from '@/api'
import { dialog } from '@/platform/dialog'
import { until } from '../../test/fakes/screen'
import { loadNetworkApi } from './loadNetworkApi'

let mockGone = true
jest.mock('./networkApi', () => ({
  __esModule: true,
  get networkApi() {
    if (mockGone) throw new Error('the file is gone')
    return 'networkApi'
  },
}))

it('when the network API cannot be loaded, one overlay serves all waiting calls and a tap retries', async () => {
  const answers: ((again: boolean) => void)[] = []
  const cover = jest.spyOn(dialog, 'tapToRetry').mockImplementation(() => ({
    answer: new Promise((resolve) => void answers.push(resolve)),
    close: () => undefined,
  }))
  const failed = (e: ApiError) => e
  const quiet = await loadNetworkApi(true).catch(failed)
  expect([quiet, isShown(quiet), cover.mock.calls]).toEqual([
    expect.objectContaining({ kind: 'network', code: 5 }),
    false,
    [],
  ])
  const both = [loadNetworkApi(false).catch(failed), loadNetworkApi(false).catch(failed)]
  await until(() => answers.length > 0, 'the cover')
  answers.shift()?.(false)
  for (const error of await Promise.all(both)) expect([isShown(error), cover.mock.calls.length]).toEqual([true, 1])
  const third = loadNetworkApi(false)
  await until(() => answers.length > 0, 'the cover')
  mockGone = false
  answers.shift()?.(true)
  expect(await third).toBe('networkApi')
})
