import { privacy } from '.'

/** A host that holds calls back until its guide was agreed to. */
function host() {
  const told: unknown[] = []
  let listener: ((answer: (o: unknown) => void) => void) | undefined
  Object.assign(wx, {
    onNeedPrivacyAuthorization(l: typeof listener) {
      listener = l
    },
  })
  const hold = () => listener?.((o) => told.push(o))
  return { told, hold }
}

it('asks each time, and answers all calls that wait with the one tap', () => {
  const { told, hold } = host()
  const asked = jest.fn()
  privacy.onRequest(asked)
  hold()
  hold()
  expect(asked).toHaveBeenCalledTimes(2)
  expect(told).toEqual([])
  privacy.answer(true)
  expect(told).toEqual([
    { event: 'agree', buttonId: 'privacy-agree' },
    { event: 'agree', buttonId: 'privacy-agree' },
  ])
  // the answer was given: a second tap has nothing to say
  privacy.answer(false)
  expect(told).toHaveLength(2)
  hold()
  privacy.answer(false)
  expect(told.slice(2)).toEqual([{ event: 'disagree' }])
})

it('needs no host that has such a guide', () => {
  Object.assign(wx, { onNeedPrivacyAuthorization: undefined })
  expect(() => privacy.onRequest(() => undefined)).not.toThrow()
})
