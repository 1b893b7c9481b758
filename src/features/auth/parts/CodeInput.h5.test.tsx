import { useState } from 'react'
import { box, type, untilBox } from '../../../../test/fakes/screen'
import { openPage } from '../../../../test/fakes/taro'
import { CodeInput } from './CodeInput'

const cells = () => [...document.querySelectorAll('.ui-code__box')].map((el) => el.textContent).join('')

beforeEach(async () => {
  await openPage(() => {
    const [code, setCode] = useState('')
    return <CodeInput label='短信验证码' value={code} onChange={setCode} />
  }, '/ui')
  await untilBox('短信验证码')
})

it('is one real input that the system can fill', () => {
  expect(document.querySelectorAll('input')).toHaveLength(1)
  expect(box('短信验证码').getAttribute('autocomplete')).toBe('one-time-code')
  expect(box('短信验证码').getAttribute('aria-label')).toBe('短信验证码，6 位数字')
})

it('takes no more than six digits', async () => {
  await type('短信验证码', '1234567')
  expect(box('短信验证码').value).toBe('123456')
  expect(cells()).toBe('123456')
})

it('takes the digits out of a pasted message', async () => {
  await type('短信验证码', '【估价】验证码 408 213，请勿告诉他人')
  expect(cells()).toBe('408213')
})
