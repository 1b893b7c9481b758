/** Preview pictures of shared links: 5:4, as chats crop them. They show neither price nor account nor name. */
import { LRUCache } from 'lru-cache'
import { wrap } from '../../rendering/fonts'
import { toPng } from '../../rendering/png'
import { createSvgCanvas } from '../../rendering/svg'

const WIDTH = 500
const HEIGHT = 400
const MARGIN = 44
/** bytes of the card cache: two cards per game */
const MAX_CACHE_BYTES = 8 * 1024 * 1024

const gradient = `<defs><radialGradient id="g" cx="1" cy="0" r="1.3"><stop offset="0" stop-color="#7A3DEB"/>
<stop offset=".45" stop-color="#2A4FE0"/><stop offset="1" stop-color="#13235B"/></radialGradient></defs>`

const kinds = {
  report: { head: '估价报告', foot: '参考价格 · 价格区间 · 估价依据' },
  game: { head: '账号值多少', foot: '几分钟，得到有依据的估价' },
} as const

export type CardKind = keyof typeof kinds

const draw = (kind: CardKind, gameName: string) => {
  const { head, foot } = kinds[kind]
  const sheet = createSvgCanvas()
  sheet.add(gradient)
  sheet.rect(0, 0, WIDTH, HEIGHT, 'url(#g)')
  sheet.rect(MARGIN, MARGIN, 44, 44, '#fff', 12, 0.22)
  sheet.mark(MARGIN + 7, MARGIN + 7, 30, '#2A4FE0')
  sheet.text({ x: MARGIN + 58, y: MARGIN + 31, size: 24, text: '游戏账号估价专家', fill: '#fff', weight: 'bold' })
  const lines = wrap(gameName, { size: 44, width: WIDTH - 2 * MARGIN, weight: 'bold', lines: 2 })
  const top = 200 - (lines.length - 1) * 28
  for (const [i, text] of lines.entries())
    sheet.text({ x: MARGIN, y: top + i * 56, size: 44, text, fill: '#fff', weight: 'bold' })
  sheet.text({
    x: MARGIN,
    y: top + lines.length * 56 + 4,
    size: 36,
    text: head,
    fill: '#fff',
    weight: 'bold',
    opacity: 0.92,
  })
  sheet.text({ x: MARGIN, y: HEIGHT - MARGIN, size: 22, text: foot, fill: '#fff', opacity: 0.86 })
  return toPng(sheet.svg(WIDTH, HEIGHT), { scale: 1 })
}

const kept = new LRUCache<string, Buffer>({ maxSize: MAX_CACHE_BYTES, sizeCalculation: (file) => file.length })

/** A PNG of 500 × 400, cached. */
export function shareCard(kind: CardKind, gameName: string): Buffer {
  const key = `${kind}\n${gameName}`
  const file = kept.get(key) ?? draw(kind, gameName)
  kept.set(key, file)
  return file
}
