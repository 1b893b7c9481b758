import { useState } from 'react'
import { box, type } from '../../test/fakes/screen'
import { openPage } from '../../test/fakes/taro'
import { TextArea } from './TextArea/TextArea'
import { TextInput } from './TextInput/TextInput'

let kept: Record<string, string> = {}

function Boxes() {
  const [note, setNote] = useState('')
  const [name, setName] = useState('')
  kept = { note, name }
  return (
    <>
      <TextArea label='补充说明' value={note} onChange={setNote} maxLength={200} />
      <TextInput label='备注名' value={name} onChange={setName} maxLength={16} />
    </>
  )
}

it('a box takes as many characters as the contract, whatever their length in UTF-16', async () => {
  await openPage(Boxes, '/pages/home/index')
  await type('补充说明', '😀'.repeat(201))
  await type('备注名', `${'号'.repeat(15)}😀😀`)
  expect(kept).toEqual({ note: '😀'.repeat(200), name: `${'号'.repeat(15)}😀` })
  // the value is set again after a rejected text that changes nothing
  await type('备注名', `${'号'.repeat(15)}😀x`)
  expect(kept.name).toBe(`${'号'.repeat(15)}😀`)
  expect(box('备注名').value).toBe(kept.name)
})

it('a box drops what is not seen before it counts, and keeps emoji whole', async () => {
  await openPage(Boxes, '/pages/home/index')
  await type('备注名', `\u202d${'号\u200b'.repeat(13)}👩\u200d🚀\u202c`)
  expect(kept.name).toBe(`${'号'.repeat(13)}👩\u200d🚀`)
  expect(box('备注名').value).toBe(kept.name)
})
