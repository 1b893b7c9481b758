import { useState } from 'react'
import type { GradedTag, Option, RosterRow } from '@/contract/form/types'
import { find, shown, tap, type, until } from '../../../../../test/fakes/screen'
import { openPage } from '../../../../../test/fakes/taro'
import { GradedTagPicker } from './GradedTagPicker'
import { RosterPicker } from './RosterPicker'
import { TagPicker } from './TagPicker'

const skins: Option[] = [
  { v: 'a', t: '武则天·倪克斯神谕', group: '法师', k: 'wuzetiannikesishenyu nikesishenyu wztnkssy' },
  { v: 'b', t: '小乔·天鹅之梦', group: '法师', k: 'xiaoqiaotianezhimeng tianezhimeng xqtezm' },
  { v: 'c', t: '李白·鸣剑曳影', group: '刺客', k: 'libaimingjianyeying mingjianyeying lbmjyy' },
]
const rows = () => [...document.querySelectorAll('[role=checkbox]')].map((el) => (el.textContent ?? '').trim())
const open = async (what: string) => {
  await tap(what)
  await until(() => document.querySelector('[role=dialog]') !== null, 'the sheet')
}

describe('TagPicker', () => {
  let value: string[]
  beforeEach(async () => {
    await openPage(() => {
      const [tags, setTags] = useState<string[]>([])
      value = tags
      return <TagPicker label='稀有皮肤' options={skins} value={tags} onChange={setTags} maxItems={2} />
    }, '/ui')
    await open('稀有皮肤，搜索')
  })

  it.each([
    ['天鹅', ['小乔·天鹅之梦']],
    ['xqtezm', ['小乔·天鹅之梦']],
    ['XiaoQiao', ['小乔·天鹅之梦']],
    ['mingjian', ['李白·鸣剑曳影']],
    ['ni ke si', ['武则天·倪克斯神谕']],
    ['李白鸣剑', ['李白·鸣剑曳影']],
    ['zz', []],
  ])('finds by name, pinyin or initials: %s', async (word, found) => {
    await type('搜索名称', word)
    expect(rows()).toEqual(found)
    if (found.length === 0) expect(shown()).toContain('没有找到')
  })

  it('chooses up to the most there may be, says so, and takes back from the field', async () => {
    await tap('小乔·天鹅之梦')
    await tap('李白·鸣剑曳影')
    expect(value).toEqual(['b', 'c'])
    expect(shown()).toContain('最多选 2 个')
    await tap('武则天·倪克斯神谕')
    expect(value).toEqual(['b', 'c'])
    await tap('移除 小乔·天鹅之梦')
    expect(value).toEqual(['c'])
  })

  it('narrows to a heading', async () => {
    await tap('刺客')
    expect(rows()).toEqual(['李白·鸣剑曳影'])
    await tap('法师')
    expect(rows()).toHaveLength(2)
  })
})

it('GradedTagPicker asks the quality of each and never guesses it', async () => {
  let value: GradedTag[] = []
  await openPage(() => {
    const [tags, setTags] = useState<GradedTag[]>([])
    value = tags
    return (
      <GradedTagPicker label='典藏武器' grades={['极品S', '极品A']} options={skins} value={tags} onChange={setTags} />
    )
  }, '/ui')
  await open('典藏武器，搜索')
  await tap('小乔·天鹅之梦')
  expect(value).toEqual([{ v: 'b', g: '' }])
  expect(find('典藏武器，已选 1 个，1 个待选品质')).toBeDefined()
  await tap('极品A')
  expect(value).toEqual([{ v: 'b', g: '极品A' }])
  await tap('极品S')
  expect(value).toEqual([{ v: 'b', g: '极品S' }])
})

describe('RosterPicker', () => {
  let value: RosterRow[]
  const inGroup = (group: string, text: string) =>
    [...(document.querySelector(`[aria-label="${group}"]`)?.querySelectorAll('[role=radio]') ?? [])].find(
      (el) => el.textContent === text,
    )
  const choose = async (group: string, text: string) => {
    const el = inGroup(group, text)
    if (!el) throw new Error(`no ${text} in ${group}`)
    el.id = 'wanted'
    el.setAttribute('aria-label', 'wanted')
    await tap('wanted')
    el.removeAttribute('aria-label')
  }

  beforeEach(async () => {
    await openPage(() => {
      const [team, setTeam] = useState<RosterRow[]>([])
      value = team
      const rules = { dup: [0, 6] as [number, number], sig: true, refine: [1, 5] as [number, number] }
      return <RosterPicker label='角色' options={skins} rules={rules} value={team} onChange={setTeam} />
    }, '/ui')
    await open('角色，搜索')
    await tap('小乔·天鹅之梦')
  })

  it('starts with no copies and no weapon', () => {
    expect(value).toEqual([{ v: 'b', dup: 0 }])
    expect(inGroup('小乔·天鹅之梦的命座', '0')?.getAttribute('aria-checked')).toBe('true')
    expect(inGroup('小乔·天鹅之梦的命座', '6')).toBeDefined()
    expect(inGroup('小乔·天鹅之梦的命座', '7')).toBeUndefined()
    expect(inGroup('小乔·天鹅之梦的精炼', '1')).toBeUndefined()
  })

  it('asks the refinement only of a weapon that is there, and drops it with the weapon', async () => {
    await choose('小乔·天鹅之梦的命座', '2')
    await tap('小乔·天鹅之梦有专武')
    expect(value).toEqual([{ v: 'b', dup: 2, sig: true, refine: 1 }])
    await choose('小乔·天鹅之梦的精炼', '5')
    expect(value).toEqual([{ v: 'b', dup: 2, sig: true, refine: 5 }])
    expect(shown()).toContain('小乔·天鹅之梦 2命 · 专武精5')
    await tap('小乔·天鹅之梦有专武')
    expect(value).toEqual([{ v: 'b', dup: 2 }])
    await tap('小乔·天鹅之梦')
    expect(value).toEqual([])
  })
})
