import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { S3Client } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { parseSettings } from '../../settings'
import { pictures } from '../../test/pictures'
import { openStorage } from '.'
import { readPicture } from './picture'
import { encode, presign, signText, verifyPostPolicy } from './policy'
import { filesOf, MAX_SIZE, ownerOf } from './port'
import { createS3Storage } from './s3'

/** Amazon's published example of a POST upload (Signature Version 4), with its policy to the byte. */
const example = {
  signer: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  },
  policy:
    'eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJzaWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJwdWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2UvIl0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRpb24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRlbnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXotYWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9',
  signature: '8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e',
}

/** The SDK's form for the same permission, as an independent implementation. */
async function bySdk(signer: typeof example.signer) {
  const client = new S3Client({ ...signer, credentials: signer, forcePathStyle: true, endpoint: 'http://s3.test' })
  const made = await createPresignedPost(client, {
    Bucket: 'pictures',
    Key: 'u/abc/20261121/$' + '{filename}',
    Conditions: [['content-length-range', 1, MAX_SIZE]],
    Expires: 900,
  })
  return made.fields
}

const lower = (fields: Record<string, string>) =>
  new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))

const { jpeg } = pictures

describe('looking at a file', () => {
  const pngOf = (width: number, height: number, parts: Buffer[]) => {
    const chunk = (type: string, data: Buffer) => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(data.length)
      head.write(type, 4, 'latin1')
      // the checksum is not verified by the code under test
      return Buffer.concat([head, data, Buffer.alloc(4)])
    }
    const sides = Buffer.alloc(13)
    sides.writeUInt32BE(width)
    sides.writeUInt32BE(height, 4)
    const data = parts.map((part) => chunk(part.length ? 'IDAT' : 'teXt', part))
    const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    return Buffer.concat([start, chunk('IHDR', sides), ...data, chunk('IEND', Buffer.alloc(0))])
  }
  /** Type of the bytes, and number and size of the reads. */
  const look = async (bytes: Buffer) => {
    const seen = { type: undefined as string | undefined, reads: 0, bytes: 0 }
    const picture = await readPicture({
      stat: async () => ({ size: bytes.length }),
      read: async (into, offset, length, position) => {
        seen.reads += 1
        seen.bytes += bytes.copy(into, offset, position, position + length)
      },
    })
    seen.type = picture?.type
    return seen
  }
  const changed = (file: Buffer, change: (copy: Buffer) => void) => {
    const copy = Buffer.from(file)
    change(copy)
    return copy
  }

  test('a large one of ordinary small parts is read a window at a time', async () => {
    const file = pngOf(
      4000,
      4000,
      Array.from({ length: 2500 }, () => Buffer.alloc(4096, 7)),
    )
    const { type, reads, bytes } = await look(file)
    expect(type).toBe('image/png')
    expect(reads).toBeLessThan(400)
    expect(bytes).toBeLessThan(1.5 * file.length)
  })

  const many = (part: number[], bytes = 9_000_000) => Buffer.alloc(bytes - (bytes % part.length), Buffer.from(part))
  test.each([
    [
      'png of empty notes',
      pngOf(
        1,
        1,
        Array.from({ length: 300_000 }, () => Buffer.alloc(0)),
      ),
    ],
    ['jpeg of empty notes', Buffer.concat([jpeg.subarray(0, 2), many([0xff, 0xfe, 0, 2]), jpeg.subarray(2)])],
    ['jpeg of empty scans', Buffer.concat([jpeg.subarray(0, -2), many([0xff, 0xda, 0, 2]), jpeg.subarray(-2)])],
    [
      'webp of empty chunks',
      changed(Buffer.concat([pictures.webp, many([0x4e, 0x4f, 0x54, 0x45, 0, 0, 0, 0])]), (file) =>
        file.writeUInt32LE(file.length - 8, 4),
      ),
    ],
  ])('a %s is given up early', async (_name, file) => {
    const { type, reads, bytes } = await look(file)
    expect(type).toBeUndefined()
    expect(reads).toBeLessThan(20)
    expect(bytes).toBeLessThan(file.length / 2)
  })

  const sof = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const sized = (width: number, height: number) => ({
    png: pngOf(width, height, [Buffer.alloc(9)]),
    jpeg: changed(jpeg, (file) => {
      file.writeUInt16BE(height, sof + 5)
      file.writeUInt16BE(width, sof + 7)
    }),
    webp: changed(pictures.webp, (file) => {
      file.writeUInt16LE(width, 26)
      file.writeUInt16LE(height, 28)
    }),
    lossless: changed(pictures.lossless, (file) => {
      file.writeUInt32LE(width - 1 + (height - 1) * 0x4000, 21)
    }),
  })
  test.each(['png', 'jpeg', 'webp', 'lossless'] as const)(
    '%s: dots are counted before anybody opens it',
    async (kind) => {
      expect((await look(sized(1500, 16_000)[kind])).type).toBe(`image/${kind === 'lossless' ? 'webp' : kind}`)
      await expect(look(sized(4900, 4900)[kind])).rejects.toMatchObject({
        ...{ code: 'UPLOAD_TYPE', message: '图片不能超过 2400 万像素，请缩小或截取后再上传' },
      })
    },
  )
  const startedBy = (...parts: (number[] | string | Buffer)[]) =>
    Buffer.concat([
      jpeg.subarray(0, 2),
      ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
      jpeg.subarray(2),
    ])
  const page = '<script>alert(1)</script>'
  const only = (...types: string[]) =>
    Buffer.concat([
      Buffer.from('RIFF'),
      Buffer.from([4 + types.length * 18, 0, 0, 0]),
      Buffer.from('WEBP'),
      // 8 by 8 pixels, then truncated
      ...types.map((type) =>
        Buffer.concat([Buffer.from(type), Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 7, 0, 0])]),
      ),
    ])
  test.each<[string, Buffer]>([
    // a decoder skips the second FF and draws 65535 by 65535, while a parser that reads lengths skips 49152 bytes
    ['a frame behind a fill byte', startedBy([0xff, 0xff, 0xc0, 0], [17, 8, 255, 255, 255, 255], Buffer.alloc(49_144))],
    ['a page behind an early end', startedBy([0xff, 0xd9, 0, page.length + 2], page)],
    ['a page behind a second start', startedBy([0xff, 0xd8, 0, page.length + 2], page)],
    ['a page behind a restart', startedBy([0xff, 0xd3, 0, page.length + 2], page)],
    ['a page in a table', startedBy([0xff, 0xdd, 0, page.length + 2], page)],
    [
      'a jpeg that draws nothing',
      Buffer.concat([jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda]))), jpeg.subarray(-2)]),
    ],
    ['a png that draws nothing', pngOf(1, 1, [Buffer.alloc(0)])],
    ['a webp that draws nothing', only('VP8X')],
  ])('%s is not a picture', async (_name, file) => {
    const { type } = await look(file).catch(() => ({ type: undefined }))
    expect(type).toBeUndefined()
  })
  test('bytes that only fill a jpeg up change nothing', async () => {
    expect((await look(startedBy([0xff, 0xff, 0xff, 0xfe, 0, 4, 32, 32, 0xff]))).type).toBe('image/jpeg')
  })

  test('the largest sides a png can name, and none', async () => {
    await expect(look(pngOf(2_147_483_647, 2_147_483_647, [Buffer.alloc(9)]))).rejects.toMatchObject({
      code: 'UPLOAD_TYPE',
    })
    expect((await look(pngOf(0, 10, [Buffer.alloc(9)]))).type).toBeUndefined()
  })
})

describe('a signed form', () => {
  test("our signature of Amazon's example is theirs", () => {
    expect(signText(example.policy, example.signer, '20151229')).toBe(example.signature)
  })

  test('the SDK signs what we accept; everything else is refused', async () => {
    const posted = lower({ ...(await bySdk(example.signer)), key: 'u/abc/20261121/1234' })
    expect(verifyPostPolicy(posted, example.signer, Date.now())).toEqual({ min: 1, max: MAX_SIZE })
    const changed = (change: Record<string, string>, now = Date.now()) =>
      verifyPostPolicy(new Map([...posted, ...Object.entries(change)]), example.signer, now)
    const anything = JSON.stringify({ expiration: '2999-01-01T00:00:00Z', conditions: [] })
    expect(changed({ key: 'u/other/20261121/1234' })).toBeUndefined()
    expect(changed({ 'x-amz-signature': '0'.repeat(64) })).toBeUndefined()
    expect(changed({ bucket: 'another' })).toBeUndefined()
    expect(changed({ acl: 'public-read' })).toBeUndefined()
    expect(changed({ policy: Buffer.from(anything).toString('base64') })).toBeUndefined()
    expect(changed({}, Date.now() + 901_000)).toBeUndefined()
    expect(verifyPostPolicy(posted, { ...example.signer, secretAccessKey: 'other' }, Date.now())).toBeUndefined()
  })
})

test("a presigned address is Amazon's published one", () => {
  const address = presign('https://examplebucket.s3.amazonaws.com/test.txt', example.signer, {
    method: 'GET',
    now: Date.parse('2013-05-24T00:00:00Z'),
    expires: 86_400,
  })
  expect(address).toContain('X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404')
})

describe('the S3 adapter against a stand-in', () => {
  const signer = { ...example.signer, bucket: 'pictures' }
  const kept = new Map<string, Buffer>()
  let standIn: Server
  /** status with which it refuses every request */
  let refusal: number | undefined
  /** when the last request was signed */
  let signedAt: string | null
  let endpoint: string
  let storage: ReturnType<typeof createS3Storage>

  /** Presigns the request's URL again: equal only if the adapter signed exactly this request. */
  const isSigned = (req: IncomingMessage) => {
    const url = new URL(req.url ?? '', `http://${req.headers.host}`)
    const given = url.searchParams
    const date = given.get('X-Amz-Date') ?? ''
    const own = new Set(['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Expires', 'X-Amz-SignedHeaders'])
    const rest = [...given].filter(([name]) => !own.has(name) && name !== 'X-Amz-Signature')
    const again = presign(`${url.origin}${url.pathname}`, signer, {
      method: req.method as 'GET',
      now: Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3:$4:$5Z')),
      expires: Number(given.get('X-Amz-Expires')),
      query: Object.fromEntries(rest),
    })
    return new URL(again).searchParams.get('X-Amz-Signature') === given.get('X-Amz-Signature')
  }

  beforeAll(async () => {
    standIn = createServer((req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '', 'http://x')
      const key = decodeURIComponent(pathname.replace('/pictures/', ''))
      const body = kept.get(key)
      if (!isSigned(req)) return res.writeHead(403).end()
      signedAt = searchParams.get('X-Amz-Date')
      if (refusal) return res.writeHead(refusal).end()
      if (pathname === '/pictures' && searchParams.get('list-type') === '2') {
        // S3 limits the number of keys in a listing
        const after = searchParams.get('start-after') ?? ''
        const found = [...kept.keys()].sort().filter((k) => k.startsWith(searchParams.get('prefix') ?? '') && k > after)
        const contents = found
          .slice(0, 2)
          .map((k) => `<Contents><Key>${encode(k)}</Key><ETag>"x"</ETag><Size>${kept.get(k)?.length}</Size></Contents>`)
          .join('')
        return res.writeHead(200).end(`<ListBucketResult><Name>pictures</Name>${contents}</ListBucketResult>`)
      }
      if (req.method === 'PUT') {
        const parts: Buffer[] = []
        req.on('data', (part: Buffer) => parts.push(part))
        return req.on('end', () => {
          kept.set(key, Buffer.concat(parts))
          res.writeHead(200).end()
        })
      }
      if (!body) return res.writeHead(404).end()
      if (req.method === 'DELETE') kept.delete(key)
      return res.writeHead(req.method === 'DELETE' ? 204 : 200).end(req.method === 'DELETE' ? undefined : body)
    })
    await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve))
    const address = standIn.address()
    const port = typeof address === 'object' ? address?.port : 0
    endpoint = `http://127.0.0.1:${port}`
    storage = createS3Storage({ ...signer, endpoint })
  })
  beforeEach(() => {
    refusal = undefined
  })
  afterAll(() => {
    standIn.closeAllConnections()
    standIn.close()
  })

  const key = (n: number) => `u/abc/20261121/${String(n).padStart(32, '0')}`

  test('its form passes the rules of S3 for the own folder and for nothing else', async () => {
    const { token, host, dir, maxSize } = await storage.permit('abc', Date.now())
    expect([new URL(host).pathname, maxSize]).toEqual(['/pictures', MAX_SIZE])
    const post = (change: Record<string, string>) =>
      verifyPostPolicy(
        lower({ ...JSON.parse(token), key: `${dir}${'0'.repeat(32)}`, 'Content-Type': 'image/png', ...change }),
        signer,
        Date.now(),
      )
    expect(post({})).toEqual({ min: 1, max: MAX_SIZE })
    expect(post({ key: 'u/other/20261121/0' })).toBeUndefined()
    expect(post({ 'Content-Type': 'text/html' })).toBeUndefined()
  })

  test('a later form, also of the same day, does not reach what an earlier one uploaded', async () => {
    const [earlier, later] = [await storage.permit('abc', Date.now()), await storage.permit('abc', Date.now())]
    const key = earlier.dir + randomUUID()
    const post = (token: string) =>
      verifyPostPolicy(lower({ ...JSON.parse(token), key, 'Content-Type': 'image/png' }), signer, Date.now())
    expect([post(earlier.token) !== undefined, post(later.token)]).toEqual([true, undefined])
    // and its upload is a picture of its owner
    kept.set(key, jpeg)
    expect([ownerOf(key), await storage.typeOf(key)]).toEqual(['abc', 'image/jpeg'])
    kept.delete(key)
  })

  test('a user who has posted 200 MB gets no further form; what is left bounds the next file', async () => {
    const { dir } = await storage.permit('full', Date.now())
    const posted = (bytes: number) => {
      // the size is all that a listing says
      kept.set(dir + randomUUID(), { length: bytes } as Buffer)
    }
    for (let i = 0; i < 3; i += 1) posted(60 * 1024 * 1024)
    // a file of ours is not the user's
    kept.set(filesOf('full') + randomUUID(), { length: 500 * 1024 * 1024 } as Buffer)
    expect((await storage.permit('full', Date.now())).maxSize).toBe(MAX_SIZE)
    posted(15 * 1024 * 1024)
    const { token, maxSize } = await storage.permit('full', Date.now())
    expect(maxSize).toBe(5 * 1024 * 1024)
    const { Policy = '' } = JSON.parse(token) as Record<string, string>
    expect(JSON.parse(Buffer.from(Policy, 'base64').toString()).conditions).toContainEqual([
      ...['content-length-range', 1],
      maxSize,
    ])
    posted(5 * 1024 * 1024)
    await expect(storage.permit('full', Date.now())).rejects.toMatchObject({ code: 'UPLOAD_QUOTA' })
    expect((await storage.permit('other', Date.now())).maxSize).toBe(MAX_SIZE)
    kept.clear()
  })

  test('names that a client chose count, end no listing too early or never, and are removed', async () => {
    const { dir } = await storage.permit('odd', Date.now())
    // the last looks like a name that the server gives
    for (const name of ['x', 'z&z', 'z z+%2F', 'ä"<>', randomUUID().slice(9)])
      kept.set(dir + name, { length: 50 * 1024 * 1024 } as Buffer)
    await expect(storage.permit('odd', Date.now())).rejects.toMatchObject({ code: 'UPLOAD_QUOTA' })
    await storage.removeAll('odd')
    expect([...kept.keys()]).toEqual([])
  })

  test('whoever posts very many objects gets no further form, however small they are', async () => {
    const { dir } = await storage.permit('many', Date.now())
    // ten listings of what this server lists at a time
    for (let i = 0; i < 21; i += 1) kept.set(`${dir}${i}`, jpeg)
    await expect(storage.permit('many', Date.now())).rejects.toMatchObject({ code: 'UPLOAD_QUOTA' })
    kept.clear()
  })

  test('looks at the content of what was uploaded, gives signed addresses, removes', async () => {
    kept.set(key(1), jpeg)
    kept.set(key(2), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))
    expect(await Promise.all([1, 2, 3].map((n) => storage.typeOf(key(n))))).toEqual([
      'image/jpeg',
      undefined,
      undefined,
    ])
    expect((await fetch(await storage.readUrl(key(1), Date.now()))).status).toBe(200)
    const forged = (await storage.readUrl(key(1), Date.now())).replace(key(1), key(2))
    expect((await fetch(forged)).status).toBe(403)
    await storage.remove([key(1), key(9), 'u/../../etc/passwd'])
    expect([...kept.keys()]).toEqual([key(2)])
  })

  test('a picture posted straight into the bucket loses its metadata when it is first read, once', async () => {
    const note = Buffer.from('\xff\xe1\x00\x14Exif\0\0GPS 31.23045', 'latin1')
    kept.set(key(7), Buffer.concat([jpeg.subarray(0, 2), note, jpeg.subarray(2)]))
    expect(await storage.typeOf(key(7))).toBe('image/jpeg')
    expect(kept.get(key(7))?.equals(jpeg)).toBe(true)
    const put = kept.get(key(7))
    expect(await storage.typeOf(key(7))).toBe('image/jpeg')
    // not written again
    expect(kept.get(key(7))).toBe(put)
    const stored = await storage.put('abc', Buffer.concat([jpeg.subarray(0, 2), note, jpeg.subarray(2)]), Date.now())
    expect(kept.get(stored)?.equals(jpeg)).toBe(true)
    kept.clear()
  })

  test('a file of ours is stored whole, read as a stream, and removed with its owner', async () => {
    const bytes = Buffer.alloc(300_000, 'zip')
    await storage.putFile(key(8), new Blob([bytes]))
    const stream = await storage.read(key(8))
    expect(Buffer.concat((await stream?.toArray()) ?? []).equals(bytes)).toBe(true)
    expect(await storage.read(key(6))).toBeUndefined()
    await storage.removeAll('abc')
    expect(kept.has(key(8))).toBe(false)
    refusal = 403
    await expect(storage.putFile(key(8), new Blob([bytes]))).rejects.toMatchObject({ name: 'DependencyUnavailable' })
  })

  test('a storage that refuses is an outage, one that finds a picture too large says so; both are no fault of ours', async () => {
    const put = () => storage.put('abc', jpeg, Date.now())
    const asks: [() => Promise<unknown>, number, object][] = [
      [put, 403, { name: 'DependencyUnavailable' }],
      [put, 404, { name: 'DependencyUnavailable' }],
      [put, 413, { code: 'PAYLOAD_TOO_LARGE' }],
      [() => storage.remove([key(1)]), 403, { name: 'DependencyUnavailable' }],
      [() => storage.removeAll('abc'), 403, { name: 'DependencyUnavailable' }],
      [() => storage.typeOf(key(1)), 403, { name: 'DependencyUnavailable' }],
    ]
    for (const [ask, status, matches] of asks) {
      refusal = status
      await expect(ask()).rejects.toMatchObject(matches)
    }
    refusal = undefined
    expect(await put()).toMatch(/^u\/abc/)
    kept.clear()
  })

  test('signs by the clock that it is given, never by the one of the business', async () => {
    const settings = { ...parseSettings({}), s3: { ...signer, endpoint } }
    const opened = await openStorage(settings, undefined as never, () => Date.parse('2030-02-03T04:05:06Z'))
    const signed = '20300203T040506Z'
    const business = Date.parse('2027-01-01T00:00:00Z')
    expect(await opened.readUrl(key(1), business)).toContain(`X-Amz-Date=${signed}`)
    const form = JSON.parse((await opened.permit('abc', business)).token) as Record<string, string>
    expect(form['X-Amz-Date']).toBe(signed)
    expect(Buffer.from(form.Policy ?? '', 'base64').toString()).toContain('"expiration":"2030-02-03T04:20:06')
    for (const ask of [
      () => opened.put('abc', jpeg, business),
      () => opened.typeOf(key(5)),
      () => opened.remove([key(5)]),
      () => opened.removeAll('nobody'),
    ]) {
      signedAt = null
      await ask()
      expect(signedAt).toBe(signed)
    }
    kept.clear()
  })

  test('keeps what the staff sends under the user it is for, and only pictures', async () => {
    const stored = await storage.put('abc', jpeg, Date.now())
    expect([stored.startsWith('u/abc/'), kept.get(stored)?.equals(jpeg)]).toEqual([true, true])
    await expect(storage.put('abc', Buffer.from('%PDF-1.7 and more'), 0)).rejects.toMatchObject({ code: 'UPLOAD_TYPE' })
    const large = Buffer.alloc(MAX_SIZE + 1)
    await expect(storage.put('abc', large, 0)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    kept.clear()
  })

  test('all files of one user are deleted, however many, and none of another', async () => {
    for (const n of [1, 2, 3, 4, 5]) kept.set(key(n), jpeg)
    const other = key(1).replace('u/abc/', 'u/abcd/')
    kept.set(other, jpeg)
    await storage.removeAll('abc')
    expect([...kept.keys()]).toEqual([other])
  })
})
