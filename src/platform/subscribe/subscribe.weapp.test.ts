import { subscribe } from '.'

interface Ask {
  tmplIds: string[]
  success(r: Record<string, string>): void
  fail(r: { errMsg: string }): void
}

const host = wx as unknown as { requestSubscribeMessage(o: Ask): void }

it('is allowed only when the user took one of the templates of the build', async () => {
  const asked: string[][] = []
  const answering = (answer: (o: Ask) => void) => {
    host.requestSubscribeMessage = (o) => {
      asked.push(o.tmplIds)
      answer(o)
    }
    return subscribe.request()
  }
  expect(subscribe.available()).toBe(true)
  expect(await answering((o) => o.success({ errMsg: 'ok', 'tmpl-report': 'accept' }))).toBe(true)
  expect(await answering((o) => o.success({ errMsg: 'ok', 'tmpl-report': 'reject' }))).toBe(false)
  expect(
    await answering((o) => o.fail({ errMsg: 'requestSubscribeMessage:fail can only be invoked by user TAP' })),
  ).toBe(false)
  expect(asked[0]).toEqual(['tmpl-report'])
})
