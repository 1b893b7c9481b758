/** The real recogniser: what kills it, what it refuses, and how much memory it takes. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { createPaddleOcr } from '../providers/ocr/paddle'
import { UnreadablePicture } from '../providers/ocr/port'

const TIME_LIMIT = 180_000
/** MB */
const MAX_CHILD = 600
const MAX_GROWTH = 120

/** Ids of the recogniser's processes, which are children of this one. */
const children = (): number[] =>
  execFileSync('ps', ['-o', 'pid=,ppid=,args=', '-A'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.join(' ').includes('ocr-child'))
    .map(([pid]) => Number(pid))

/** MB that a process used at most. */
const peakOf = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

// storage/reencode forbids SVG to the whole process, in which another test may have loaded it
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })

/** A phone's screenshot with rows of digits. */
const picture = () => {
  const rows = Array.from({ length: 12 }, (_, i) => `<text x="80" y="${200 + 160 * i}" font-size="56">3${i}8</text>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="2400"><rect width="100%" height="100%" fill="#fff"/>${rows.join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

const ocr = createPaddleOcr()
afterAll(() => ocr.close())

test(
  'nine pictures take no more than 600 MB of the child and none of this process, and each says what it cost',
  async () => {
    const file = await picture()
    const first = await ocr.read(file)
    expect(first.texts.map(({ text }) => text)).toContain('308')
    const before = process.memoryUsage().rss
    const pages = await Promise.all(Array.from({ length: 8 }, () => ocr.read(file)))
    const [pid = 0, ...others] = children()
    expect(others).toEqual([])
    expect(peakOf(pid)).toBeLessThan(MAX_CHILD)
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(MAX_GROWTH)
    const costs = pages.map(({ processorMs = 0 }) => processorMs)
    expect(Math.min(...costs)).toBeGreaterThan(0)
    expect(Math.max(...costs)).toBeLessThan(10_000)
  },
  TIME_LIMIT,
)

test(
  'a child that is killed in the middle fails one picture, and the next one has a new child',
  async () => {
    const file = await picture()
    const failed = ocr.read(file)
    const next = ocr.read(file)
    await delay(200)
    for (const pid of children()) process.kill(pid, 'SIGKILL')
    await expect(failed).rejects.toThrow('SIGKILL')
    expect((await next).width).toBe(1080)
  },
  TIME_LIMIT,
)

test(
  "a picture of 100 megapixels, one that is cut off and a file that is none are their owner's to know",
  async () => {
    const huge = await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    await ocr.read(await picture())
    const [pid = 0] = children()
    for (const file of [huge, (await picture()).subarray(0, 3000), Buffer.from('no picture')])
      await expect(ocr.read(file)).rejects.toThrow(UnreadablePicture)
    expect(children()).toEqual([pid])
    expect(peakOf(pid)).toBeLessThan(MAX_CHILD)
  },
  TIME_LIMIT,
)
