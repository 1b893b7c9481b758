import { dialog } from '@/platform/dialog'
import { retryPrompt } from './retry'

it('shows one overlay for all calls that fail together', async () => {
  let settle: (again: boolean) => void = () => undefined
  const close = jest.fn()
  const ask = jest.spyOn(dialog, 'tapToRetry').mockImplementation(() => {
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    return { answer, close }
  })
  const [a, b] = [retryPrompt('超时'), retryPrompt('超时')]
  expect(ask).toHaveBeenCalledTimes(1)
  a.close()
  expect(close).not.toHaveBeenCalled()
  b.close()
  expect(close).toHaveBeenCalledTimes(1)
  settle(true)
  expect(await Promise.all([a.answer, b.answer])).toEqual([true, true])
  retryPrompt('超时')
  expect(ask).toHaveBeenCalledTimes(2)
  settle(false)
})
