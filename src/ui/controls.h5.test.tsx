import { useState } from 'react'
import { type } from '../../test/fakes/screen'
import { act, openPage } from '../../test/fakes/taro'
import { Checkbox } from './Checkbox/Checkbox'
import { Progress } from './Progress/Progress'
import { SearchBar } from './SearchBar/SearchBar'
import { Stars } from './Stars/Stars'
import { Steps } from './Steps/Steps'
import { Switch } from './Switch/Switch'
import { TextArea } from './TextArea/TextArea'

const words = ['一', '二', '三', '四', '五'] as const

function All() {
  const [on, setOn] = useState(false)
  const [open, setOpen] = useState(false)
  const [stars, setStars] = useState(0)
  const [word, setWord] = useState('原神')
  return (
    <>
      <Checkbox value={on} onChange={setOn} name='同意协议'>
        同意
      </Checkbox>
      <Switch value={open} onChange={setOpen} name='公开' />
      <Stars label='评分' value={stars} onChange={setStars} words={words} />
      <SearchBar value={word} onChange={setWord} placeholder='搜索游戏' />
      <Progress done={3} total={4} label='已填' />
      <Steps items={[{ title: '扫码' }, { title: '读取' }]} current={1} />
    </>
  )
}

const all = (role: string) => [...document.querySelectorAll<HTMLElement>(`[role=${role}]`)]
const said = (role: string, state: string) => all(role).map((el) => el.getAttribute(`aria-${state}`))
const press = (el: HTMLElement | undefined, key: string) =>
  act(() => void el?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))

beforeEach(() => openPage(All, '/ui'))

it.each([
  ['checkbox', 0, 'checked', ['false'], ['true']],
  ['switch', 0, 'checked', ['false'], ['true']],
  ['radio', 3, 'checked', ['false', 'false', 'false', 'false', 'false'], ['false', 'false', 'false', 'true', 'false']],
])('%s: says its state, and keys change it', async (role, nth, state, before, after) => {
  expect(said(role, state)).toEqual(before)
  expect(all(role).map((el) => el.tabIndex)).toEqual(before.map(() => 0))
  await press(all(role)[nth], 'a')
  expect(said(role, state)).toEqual(before)
  await press(all(role)[nth], 'Enter')
  expect(said(role, state)).toEqual(after)
  if (role === 'checkbox' || role === 'switch') {
    await press(all(role)[nth], ' ')
    expect(said(role, state)).toEqual(before)
  }
})

it('every control has an accessible name', () => {
  expect(said('checkbox', 'label')).toEqual(['同意协议'])
  expect(said('switch', 'label')).toEqual(['公开'])
  expect(said('radio', 'label')).toEqual(words.map((word, i) => `${i + 1} 星，${word}`))
  expect(said('img', 'label')).toEqual(['已填 3/4'])
  expect(all('listitem').map((el) => el.textContent)).toEqual(['扫码已完成', '2读取进行中'])
  expect(all('button').map((el) => el.getAttribute('aria-label'))).toEqual(['清空'])
})

it('no element has an aria-role attribute', () => {
  expect(document.querySelectorAll('[aria-role]')).toHaveLength(0)
})

it('a count that a page translator has replaced still follows the text', async () => {
  function Note() {
    const [note, setNote] = useState('')
    return <TextArea label='补充说明' value={note} onChange={setNote} maxLength={20} />
  }
  await openPage(Note, '/ui')
  const count = document.querySelector('.ui-area__count')
  for (const node of [...(count?.childNodes ?? [])]) {
    const translated = document.createElement('font')
    translated.textContent = node.textContent
    node.replaceWith(translated)
  }
  await type('补充说明', '三个字')
  expect(count?.textContent).toBe('3/20')
})
