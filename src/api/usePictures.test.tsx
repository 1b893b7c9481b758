import { useState } from 'react'
import { pictures } from '@/platform/pictures'
import { fakePictures } from '@/platform/pictures/fake'
import { networkCode } from '@/platform/transport/port'
import { until } from '../../test/fakes/screen'
import { act, renderHook } from '../../test/fakes/taro'
import { createClient } from './client'
import { ApiError } from './error'
import { files } from './index'
import { createUpload } from './upload'
import { usePictures } from './usePictures'

const fake = fakePictures()
Object.assign(pictures, fake.pictures)

const render = (first: string[] = []) =>
  renderHook(() => {
    const [keys, onKeys] = useState<string[]>(first)
    return { ...usePictures({ scene: 'ACCOUNT', keys, onKeys, max: 3 }), keys }
  })

/** The storage's reaction to each file. */
let storage: (file: string) => Promise<string>
beforeEach(() => {
  let n = 0
  storage = async () => `u/1/k${++n}`
  Object.assign(files, {
    upload: (file: string) => storage(file),
    pictureUrl: async (key: string) => `https://x/${key}`,
  })
})

it('uploads one at a time, keeps finished ones, and says why others failed and whether a retry helps', async () => {
  fake.state.next = ['a', 'bad-kind', 'b', 'too many']
  let failures = 1
  const good = storage
  storage = async (file) => {
    if (file === 'small-b' && failures-- > 0)
      throw new ApiError({ kind: 'network', code: networkCode.transfer, msg: '', behaviour: 'toast' })
    return good(file)
  }
  const hook = await render()
  await act(() => hook.current.picker.onAdd())
  await until(() => hook.current.picker.items.every(({ state }) => state !== 'busy'), 'the uploads')
  expect(hook.current.keys).toEqual(['u/1/k1'])
  expect(hook.current.picker.items.map(({ state, reason, again }) => [state, reason, again])).toEqual([
    ['done', undefined, undefined],
    ['failed', '不是 jpg、png 或 webp 图片', false],
    ['failed', '上传失败', true],
  ])
  // a form would send without them
  expect(hook.current.pending).toBe('有图片上传失败，请重试或删除')
  await act(() => hook.current.picker.onRemove('bad-kind'))
  await act(() => hook.current.picker.onAgain('b'))
  await until(() => hook.current.keys.length === 2, 'the second try')
  expect(hook.current.keys).toEqual(['u/1/k1', 'u/1/k2'])
  expect(hook.current.pending).toBeUndefined()
  await act(() => hook.current.picker.onRemove('u/1/k2'))
  expect(hook.current.picker.items.map(({ id, src }) => [id, src])).toEqual([['u/1/k1', 'small-a']])
})

it('shows what was uploaded in an earlier visit, from the storage', async () => {
  const hook = await render(['u/1/old'])
  await until(() => hook.current.picker.items[0]?.src !== undefined, 'the address')
  expect(hook.current.picker.items).toEqual([{ id: 'u/1/old', src: 'https://x/u/1/old', state: 'done', percent: 100 }])
})

it('sends the policy’s fields, the key and the kind with the file; a refused token is not used again', async () => {
  const posts: unknown[] = []
  const deps = {
    base: 'https://api',
    credentials: () => ({ userId: '1' }),
    now: () => 0,
    random: () => 0,
    showError: () => undefined,
    transport: {
      upload: (o: object) => {
        posts.push(o)
        const status = posts.length === 2 ? 403 : 204
        return { done: Promise.resolve({ status, headers: {}, data: '' }), abort: () => undefined }
      },
    },
  } as never
  let tokens = 0
  const stsPost = async () => {
    tokens += 1
    return { token: '{"policy":"p"}', host: '/uploads', dir: 'u/1/d/', expireAt: 900_000, maxSize: 1 }
  }
  const upload = createUpload({ app: { stsPost } } as never, createClient(deps), deps)
  const signal = { aborted: false, onAbort: () => () => undefined, abort: () => undefined }
  const send = () => upload('small-a', 'ACCOUNT', { signal }).catch(() => 'refused')
  const key = 'u/1/d/00000000-0000-4000-8000-000000000000'
  expect([await send(), await send(), await send(), tokens]).toEqual([key, 'refused', key, 2])
  expect(posts[0]).toMatchObject({
    url: 'https://api/uploads',
    file: 'small-a',
    name: 'file',
    fields: { policy: 'p', key, 'Content-Type': 'image/jpeg' },
  })
})
