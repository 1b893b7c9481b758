/**
 * PaddleOCR (PP-OCRv4 mobile): a detector finds where text is, a recogniser reads each place. The package that wraps the
 * models for Node merges what stands on one row and copies the whole picture for each text, so the models are run here.
 */
import { readFileSync } from 'node:fs'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { OcrPage, OcrText } from '../port'
import { cut, decode, type Pixels, planesOf, scaled } from './pixels'
import { type Region, regionsOf } from './regions'
import { type ReadChar, withStrokes } from './strokes'

interface ModelFiles {
  detectionPath: string
  recognitionPath: string
  dictionaryPath: string
}

/** px of the longer side of the pictures that text is looked for in; some single digits are only found in smaller ones */
const DETECTED_AT = [1280, 736, 512]
/** px of the longer side of the picture that it is read from */
const READ_AT = 2400
/** the detector halves its input five times */
const MULTIPLE = 32
/** px: height of a line that the recogniser was trained with */
const LINE_HEIGHT = 48
/** px: longer lines are no facts of an account */
const MAX_LINE_WIDTH = 2400
/** lines read at once: they are padded to the longest */
const BATCH = 6
/** texts on one picture; a picture with more is a pattern */
const MAX_TEXTS = 400
/** mean probability of characters below which a text is noise */
const NOISE = 0.5
/** Without its arena the runtime gives memory back: 330–640 MB a process rather than 1.5 GB. */
const SESSION = { enableCpuMemArena: false, enableMemPattern: false, intraOpNumThreads: 1, interOpNumThreads: 1 }

const MEAN = [0.485, 0.456, 0.406]
const DEVIATION = [0.229, 0.224, 0.225]
const HALF = [0.5, 0.5, 0.5]

const multiple = (n: number) => Math.max(MULTIPLE, Math.round(n / MULTIPLE) * MULTIPLE)

const touches = (a: Region, b: Region): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height

/** Loads the models, which takes half a second. */
export async function createRecogniser(files: ModelFiles) {
  const detector = await InferenceSession.create(files.detectionPath, SESSION)
  const reader = await InferenceSession.create(files.recognitionPath, SESSION)
  // index 0 is the gap between characters, the last one the space
  const alphabet = alphabetOf(['', ...readFileSync(files.dictionaryPath, 'utf8').split('\n'), ' '])

  async function run(session: InferenceSession, data: Float32Array, dims: number[]) {
    const outputs = await session.run({ [session.inputNames[0] ?? 'x']: new Tensor('float32', data, dims) })
    const output = outputs[session.outputNames[0] ?? '']
    if (!(output?.data instanceof Float32Array)) throw new Error('a model gave no numbers')
    return { data: output.data, dims: output.dims }
  }

  /** Regions in px of the page. */
  async function regionsAt(page: Pixels, longest: number, known?: number) {
    const scale = Math.min(1, longest / Math.max(page.width, page.height))
    const size = { width: multiple(page.width * scale), height: multiple(page.height * scale) }
    const input = planesOf(await scaled(page, size), MEAN, DEVIATION)
    const { data } = await run(detector, input, [1, 3, size.height, size.width])
    const found = regionsOf({ data, ...size }, known)
    const [fx, fy] = [page.width / size.width, page.height / size.height]
    return {
      angle: found.angle,
      regions: found.regions.map(({ left, top, width, height }) => ({
        left: left * fx,
        top: top * fy,
        width: width * fx,
        height: height * fy,
      })),
    }
  }

  async function findRegions(page: Pixels): Promise<{ angle: number; regions: Region[] }> {
    const [first, ...more] = DETECTED_AT
    const { angle, regions } = await regionsAt(page, first ?? READ_AT)
    for (const longest of more)
      for (const region of (await regionsAt(page, longest, angle)).regions)
        if (!regions.some((other) => touches(region, other))) regions.push(region)
    return { angle, regions }
  }

  /** Reads lines of similar length at once. */
  async function readLines(lines: readonly Pixels[]): Promise<{ text: string; mean: number; score: number }[]> {
    const width = Math.max(LINE_HEIGHT, ...lines.map((line) => line.width))
    const plane = LINE_HEIGHT * width
    const input = new Float32Array(lines.length * 3 * plane)
    lines.forEach((line, n) => {
      const planes = planesOf(line, HALF, HALF)
      for (let row = 0; row < 3 * LINE_HEIGHT; row++)
        input.set(planes.subarray(row * line.width, (row + 1) * line.width), n * 3 * plane + row * width)
    })
    const { data, dims } = await run(reader, input, [lines.length, 3, LINE_HEIGHT, width])
    const [, steps = 0, classes = 1] = dims
    return lines.map((line, n) =>
      textOf(withStrokes(line, decodeSteps(data, n * steps * classes, { steps, classes, alphabet, width }))),
    )
  }

  /** Reads regions; those without text are left out. */
  async function readRegions(page: Pixels, angle: number, regions: readonly Region[]) {
    const lines = regions
      .map((region) => ({ region, pixels: cut(page, region, angle, LINE_HEIGHT) }))
      .sort((a, b) => a.pixels.width - b.pixels.width)
    const read: OcrText[] = []
    for (let start = 0; start < lines.length; start += BATCH) {
      const batch = lines.slice(start, start + BATCH)
      const answers = await readLines(batch.map(({ pixels }) => pixels))
      batch.forEach(({ region: { left, top, width, height } }, n) => {
        const { text = '', mean = 0, score = 0 } = answers[n] ?? {}
        const plain = text.normalize('NFKC').trim()
        const box = [left / page.width, top / page.height, width / page.width, height / page.height] as const
        if (plain !== '' && mean >= NOISE) read.push({ text: plain, score, box })
      })
    }
    return read
  }

  return {
    /** @throws UnreadablePicture */
    async read(file: Uint8Array): Promise<OcrPage> {
      const page = await decode(file, READ_AT)
      const { angle, regions } = await findRegions(page)
      const isLine = ({ width, height }: Region) =>
        width < (MAX_LINE_WIDTH / LINE_HEIGHT) * height && height < 2 * width
      const texts = await readRegions(page, angle, regions.filter(isLine).slice(0, MAX_TEXTS))
      return { width: page.width, height: page.height, angle, texts }
    },
  }
}

interface Alphabet {
  characters: readonly string[]
  /** by index of a character, those of all that look alike (v and V, 2 and ２, 0 and O): its probability is that of all */
  alike: ReadonlyMap<number, readonly number[]>
}

function alphabetOf(characters: readonly string[]): Alphabet {
  const groups = new Map<string, number[]>()
  characters.forEach((char, i) => {
    const folded = char
      .normalize('NFKC')
      .toLowerCase()
      .replace(/^[o〇○]$/, '0')
      .replace(/^[il|!丨]$/, '1')
      .replace('×', 'x')
    groups.set(folded, [...(groups.get(folded) ?? []), i])
  })
  const several = [...groups.values()].filter((group) => group.length > 1)
  return { characters, alike: new Map(several.flatMap((group) => group.map((i) => [i, group] as const))) }
}

/** The most probable character of each step; repeated ones and gaps are dropped (CTC). */
function decodeSteps(
  data: Float32Array,
  from: number,
  { steps, classes, alphabet, width }: { steps: number; classes: number; alphabet: Alphabet; width: number },
): ReadChar[] {
  const chars: ReadChar[] = []
  let last = 0
  for (let step = 0; step < steps; step++) {
    const start = from + step * classes
    let best = 0
    for (let i = 1; i < classes; i++) if ((data[start + i] ?? 0) > (data[start + best] ?? 0)) best = i
    if (best !== 0 && best !== last) {
      const alike = alphabet.alike.get(best) ?? [best]
      const probability = alike.reduce((total, i) => total + (data[start + i] ?? 0), 0)
      chars.push({ char: alphabet.characters[best] ?? '', probability, x: ((step + 0.5) * width) / steps })
    }
    last = best
  }
  return chars
}

/** Spaces do not count, because nothing depends on them. */
function textOf(chars: readonly ReadChar[]): { text: string; mean: number; score: number } {
  const probabilities = chars.filter(({ char }) => char.trim() !== '').map(({ probability }) => probability)
  const n = probabilities.length
  return {
    text: chars.map(({ char }) => char).join(''),
    mean: n > 0 ? probabilities.reduce((sum, probability) => sum + probability, 0) / n : 0,
    score: n > 0 ? Math.min(1, ...probabilities) : 0,
  }
}
