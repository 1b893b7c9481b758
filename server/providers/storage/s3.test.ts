import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import sharp from 'sharp'
import { escapeXml } from '../../rendering/xml'
import { parseSettings } from '../../settings'
import { impostors, jpeg } from '../../test/pictures'
import { openStorage } from '.'
import { cleanPicture, closePictureThreads } from './picture'
import { filesOf, MAX_SIZE, ownerOf } from './port'
import { createS3Storage } from './s3'

afterAll(closePictureThreads)

describe('the S3 adapter against a stand-in', () => {
  const signer = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'secret',
    region: 'us-east-1',
    bucket: 'pictures',
  }
  interface Kept {
    bytes: Buffer
    /** content type and metadata, as sent */
    headers: IncomingHttpHeaders
  }
  const kept = new Map<string, Kept>()
  const post = (key: string, bytes: Buffer) => void kept.set(key, { bytes, headers: { 'content-type': 'image/png' } })
  /** the size is all that a listing says */
  const postSize = (key: string, length: number) => post(key, { length } as Buffer)
  let standIn: Server
  /** keys of one listing */
  let pageSize = 2
  /** status with which it refuses every request */
  let refusal: number | undefined
  /** when the last request was signed */
  let signedAt: string | undefined
  let endpoint: string
  let storage: ReturnType<typeof createS3Storage>

  beforeAll(async () => {
    standIn = createServer((req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '', 'http://x')
      const key = decodeURIComponent(pathname.replace(/^\/pictures\/?/, ''))
      const found = kept.get(key)
      signedAt = searchParams.get('X-Amz-Date') ?? req.headers['x-amz-date']?.toString()
      if (refusal) return res.writeHead(refusal).end()
      if (key === '') {
        // S3 limits the number of keys in a listing
        const after = searchParams.get('continuation-token') ?? ''
        const listed = [...kept].filter(([k]) => k.startsWith(searchParams.get('prefix') ?? '') && k > after).sort()
        const page = listed.slice(0, pageSize)
        const contents = page.map(
          ([k, { bytes }]) => `<Contents><Key>${encodeURIComponent(k)}</Key><Size>${bytes.length}</Size></Contents>`,
        )
        const more = listed.length > pageSize
        const token = more ? `<NextContinuationToken>${escapeXml(page.at(-1)?.[0] ?? '')}</NextContinuationToken>` : ''
        return res
          .writeHead(200)
          .end(
            `<ListBucketResult><Name>pictures</Name><IsTruncated>${more}</IsTruncated>${contents.join('')}${token}</ListBucketResult>`,
          )
      }
      if (req.method === 'PUT') {
        const parts: Buffer[] = []
        req.on('data', (part: Buffer) => parts.push(part))
        return req.on('end', () => {
          kept.set(key, { bytes: Buffer.concat(parts), headers: req.headers })
          res.writeHead(200).end()
        })
      }
      if (!found) return res.writeHead(404).end()
      if (req.method === 'DELETE') {
        kept.delete(key)
        return res.writeHead(204).end()
      }
      const { 'content-type': type = '', 'x-amz-meta-encoded': encoded = '' } = found.headers
      res.writeHead(200, { 'content-type': type, 'content-length': found.bytes.length, 'x-amz-meta-encoded': encoded })
      return res.end(req.method === 'HEAD' ? undefined : found.bytes)
    })
    await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve))
    const address = standIn.address()
    const port = typeof address === 'object' ? address?.port : 0
    endpoint = `http://127.0.0.1:${port}`
    storage = createS3Storage({ ...signer, endpoint })
    // its thread is there, so that no test waits for its start
    await cleanPicture([jpeg])
  })
  beforeEach(() => {
    refusal = undefined
    pageSize = 2
    kept.clear()
  })
  afterAll(() => {
    standIn.closeAllConnections()
    standIn.close()
  })

  const key = (n: number) => `u/abc/20261121/${String(n).padStart(32, '0')}`

  const policyOf = (token: string) => {
    const { Policy = '' } = JSON.parse(token) as Record<string, string>
    return JSON.parse(Buffer.from(Policy, 'base64').toString()) as { expiration: string; conditions: unknown[] }
  }

  test('its form is for the own folder, pictures and one size; it names no key, which the client chooses', async () => {
    const { token, host, dir, maxSize } = await storage.permit('abc', Date.now())
    expect([new URL(host).pathname.replace(/\/$/, ''), maxSize]).toEqual(['/pictures', MAX_SIZE])
    expect(dir).toMatch(/^u\/abc\/\d{8}\/[0-9a-f]{8}-$/)
    expect(Object.keys(JSON.parse(token)).sort()).toEqual([
      ...['Policy', 'X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Signature', 'bucket'],
    ])
    expect(policyOf(token).conditions).toEqual(
      expect.arrayContaining([
        { bucket: 'pictures' },
        ['starts-with', '$key', dir],
        ['starts-with', '$Content-Type', 'image/'],
        ['content-length-range', 1, MAX_SIZE],
      ]),
    )
  })

  test('a later form, also of the same day, does not reach what an earlier one uploaded', async () => {
    const [earlier, later] = [await storage.permit('abc', Date.now()), await storage.permit('abc', Date.now())]
    const key = earlier.dir + randomUUID()
    expect(key.startsWith(later.dir)).toBe(false)
    // and its upload is a picture of its owner
    post(key, jpeg)
    expect([ownerOf(key), await storage.typeOf(key)]).toEqual(['abc', 'image/jpeg'])
  })

  test('a user who has posted 200 MB gets no further form; what is left bounds the next file', async () => {
    const { dir } = await storage.permit('full', Date.now())
    const posted = (bytes: number) => postSize(dir + randomUUID(), bytes)
    for (let i = 0; i < 3; i += 1) posted(60 * 1024 * 1024)
    // a file of ours is not the user's
    postSize(filesOf('full') + randomUUID(), 500 * 1024 * 1024)
    expect((await storage.permit('full', Date.now())).maxSize).toBe(MAX_SIZE)
    posted(15 * 1024 * 1024)
    const { token, maxSize } = await storage.permit('full', Date.now())
    expect(maxSize).toBe(5 * 1024 * 1024)
    expect(policyOf(token).conditions).toContainEqual(['content-length-range', 1, maxSize])
    posted(5 * 1024 * 1024)
    await expect(storage.permit('full', Date.now())).rejects.toMatchObject({ code: 'UPLOAD_QUOTA' })
    expect((await storage.permit('other', Date.now())).maxSize).toBe(MAX_SIZE)
  })

  test('names that a client chose count, end no listing too early or never, and are removed', async () => {
    const { dir } = await storage.permit('odd', Date.now())
    // the last looks like a name that the server gives
    for (const name of ['x', 'z&z', 'z z+%2F', 'ä"<>', randomUUID().slice(9)]) postSize(dir + name, 50 * 1024 * 1024)
    await expect(storage.permit('odd', Date.now())).rejects.toMatchObject({ code: 'UPLOAD_QUOTA' })
    await storage.removeAll('odd')
    expect([...kept.keys()]).toEqual([])
  })

  test('whoever posts very many objects gets no further form, however small they are', async () => {
    const { dir } = await storage.permit('many', Date.now())
    pageSize = 1000
    for (let i = 0; i < 10_000; i += 1) postSize(`${dir}${i}`, 1)
    await expect(storage.permit('many', Date.now())).rejects.toMatchObject({ code: 'UPLOAD_QUOTA' })
  })

  test('looks at the content of what was uploaded, gives signed addresses, removes', async () => {
    post(key(1), jpeg)
    post(key(2), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))
    expect(await Promise.all([1, 2, 3].map((n) => storage.typeOf(key(n))))).toEqual([
      'image/jpeg',
      undefined,
      undefined,
    ])
    const address = new URL(await storage.readUrl(key(1), Date.now()))
    expect((await fetch(address)).status).toBe(200)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      ...{ 'X-Amz-Expires': '900', 'response-content-disposition': 'attachment' },
      'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    await storage.remove([key(1), key(9), 'u/../../etc/passwd'])
    expect([...kept.keys()]).toEqual([key(2)])
  })

  test('a picture posted straight into the bucket is encoded when it is first read, once, and when it is replaced', async () => {
    const located = await sharp(jpeg)
      .withExif({ IFD3: { GPSLatitude: '31/1 13/1 49/1' } })
      .jpeg()
      .toBuffer()
    expect((await sharp(located).metadata()).exif).toBeDefined()
    for (const picture of [located, await sharp(located).rotate(90).withMetadata().jpeg().toBuffer()]) {
      post(key(7), picture)
      expect(await storage.typeOf(key(7))).toBe('image/jpeg')
      const encoded = kept.get(key(7))
      expect((await sharp(encoded?.bytes).metadata()).exif).toBeUndefined()
      expect(encoded?.headers).toMatchObject({ 'content-type': 'image/jpeg', 'x-amz-meta-encoded': '1' })
      expect(await storage.typeOf(key(7))).toBe('image/jpeg')
      // not written again
      expect(kept.get(key(7))).toBe(encoded)
    }
    const stored = await storage.put('abc', located, Date.now())
    expect((await sharp(kept.get(stored)?.bytes).metadata()).exif).toBeUndefined()
  })

  test.each(Object.entries(impostors))('%s that was posted into the bucket is no picture', async (_name, file) => {
    post(key(6), file)
    expect(await storage.typeOf(key(6))).toBeUndefined()
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
  })

  test('signs by the clock that it is given, never by the one of the business', async () => {
    const settings = { ...parseSettings({}), s3: { ...signer, endpoint } }
    const opened = await openStorage(settings, undefined as never, () => Date.parse('2030-02-03T04:05:06Z'))
    const signed = '20300203T040506Z'
    const business = Date.parse('2027-01-01T00:00:00Z')
    expect(await opened.readUrl(key(1), business)).toContain(`X-Amz-Date=${signed}`)
    const form = JSON.parse((await opened.permit('abc', business)).token) as Record<string, string>
    expect(form['X-Amz-Date']).toBe(signed)
    expect(policyOf(JSON.stringify(form)).expiration).toContain('2030-02-03T04:20:06')
    for (const ask of [
      () => opened.put('abc', jpeg, business),
      () => opened.typeOf(key(5)),
      () => opened.remove([key(5)]),
      () => opened.removeAll('nobody'),
    ]) {
      signedAt = undefined
      await ask()
      expect(signedAt).toBe(signed)
    }
  })

  test('keeps what the staff sends under the user it is for, and only pictures', async () => {
    const stored = await storage.put('abc', jpeg, Date.now())
    expect([stored.startsWith('u/abc/'), kept.get(stored)?.headers['content-type']]).toEqual([true, 'image/jpeg'])
    await expect(storage.put('abc', Buffer.from('%PDF-1.7 and more'), 0)).rejects.toMatchObject({ code: 'UPLOAD_TYPE' })
    const large = Buffer.alloc(MAX_SIZE + 1)
    await expect(storage.put('abc', large, 0)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  test('all files of one user are deleted, however many, and none of another', async () => {
    for (const n of [1, 2, 3, 4, 5]) post(key(n), jpeg)
    const other = key(1).replace('u/abc/', 'u/abcd/')
    post(other, jpeg)
    await storage.removeAll('abc')
    expect([...kept.keys()]).toEqual([other])
  })
})
