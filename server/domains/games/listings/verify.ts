import { cleanText } from '@/contract/cleanText'
import type { FormConfig } from '@/contract/form/types'
import type { Req, Res } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import type { OpenCtx } from '../../../core/context'
import type { Game, GameRepository } from '../repository'
import { askingPriceOf } from './asking-price'
import { withoutSeparators } from './lexicon'
import { splitLinks } from './marketplaces'
import { missingKeys, parseListing } from './parse-listing'

const noText = (platform: string | undefined, pasted: string): string =>
  `${platform ? `这是${platform}的${pasted}。` : ''}我们不会打开第三方平台的页面，请把商品的标题和描述文字复制过来，可识别区服、段位、皮肤等信息`

/** Names of a game in listings: its name and the Chinese nicknames among its search words. */
const calledIn = (text: string, { config, search }: Game): boolean =>
  [config.name, ...search.split(' ').filter((word) => NICKNAME.test(word))].some((name) =>
    text.includes(withoutSeparators(name)),
  )

const NICKNAME = /^\p{Script=Han}{2,}$/u

/** The only game named in a text. @throws AppError LINK_UNSUPPORTED when it names none or several */
function namedGame(games: readonly Game[], words: string): Game {
  const text = withoutSeparators(words)
  const named = games.filter((game) => calledIn(text, game))
  const [only] = named
  if (only && named.length === 1) return only
  const msg =
    named.length > 1 ? `这段文字提到了${named.map(({ config }) => config.name).join('、')}` : '没有认出是哪个游戏'
  throw new AppError('LINK_UNSUPPORTED', { msg: `${msg}，请先选择游戏，再在表单里粘贴` })
}

/** Name of the game in the text when it is not the chosen one. */
function otherGame(games: readonly Game[], config: FormConfig, words: string): string | undefined {
  const text = withoutSeparators(words)
  if (text.includes(withoutSeparators(config.name))) return undefined
  return games.find((game) => text.includes(withoutSeparators(game.config.name)))?.config.name
}

/** @throws AppError NOT_FOUND, LINK_UNSUPPORTED */
async function gameOf(games: GameRepository, gameId: string | undefined, words: string): Promise<FormConfig> {
  const { config } = gameId === undefined ? namedGame(await games.all(), words) : await games.find(gameId)
  const other = gameId && otherGame(await games.all(), config, words)
  if (other) throw new AppError('LINK_UNSUPPORTED', { msg: `这段文字像是${other}的商品，请核对所选的游戏` })
  return config
}

/**
 * `link/evaluate/verify`: fills a form from a pasted listing and detects its game. Links are only recognised by their
 * host, never opened.
 * @throws AppError LINK_UNSUPPORTED when there is a link or number but no text to read, NOT_FOUND, VALIDATION_FAILED
 */
export async function linkVerify(
  { repositories: { games } }: OpenCtx,
  { gameId, link = '', number = '', text = '' }: Req<'evaluation', 'linkVerify'>,
): Promise<Res<'evaluation', 'linkVerify'>> {
  const pasted = cleanText([link, text].join('\n'))
  if (`${pasted}${number}`.trim() === '') throw invalid([{ path: 'text', msg: '请粘贴商品描述文字' }])
  const { platform, hasLink, text: words } = splitLinks(pasted)
  const onlyNumber = number.trim() !== '' || /^\s*[A-Za-z]{0,6}[-#]?\d{5,24}\s*$/.test(words)
  const nothing = () => new AppError('LINK_UNSUPPORTED', { msg: noText(platform, hasLink ? '链接' : '商品编号') })
  if (gameId === undefined && (onlyNumber || words.trim() === '')) throw nothing()
  const config = await gameOf(games, gameId, words)
  const parsed = parseListing(config, words)
  const ok = Object.keys(parsed).length > 0
  if (!ok && (hasLink || onlyNumber)) throw nothing()
  const askFen = askingPriceOf(words)
  return {
    ...{ ok, gameId: config.gameId, parsed, missing: missingKeys(config, parsed) },
    ...(platform && { platform }),
    ...(askFen !== undefined && { askFen }),
  }
}
