import type { FormConfig } from '@/contract/form/types'
import type { Req, Res } from '@/contract/types'
import type { OpenCtx } from '../../../context'
import { invalid, Refusal } from '../../../refusal'
import type { Game } from '../games'
import { tight } from './lexicon'
import { splitLinks } from './places'
import { missingKeys, readListing } from './read'

const noText = (platform: string | undefined, pasted: string): string =>
  `${platform ? `这是${platform}的${pasted}。` : ''}我们不会打开第三方平台的页面，请把商品的标题和描述文字复制过来，可识别区服、段位、皮肤等信息`

/** Name of the game the text speaks of when that is not the chosen one. */
function otherGame(games: readonly Game[], config: FormConfig, words: string): string | undefined {
  const text = tight(words)
  if (text.includes(tight(config.name))) return undefined
  return games.find((game) => text.includes(tight(game.config.name)))?.config.name
}

/**
 * `link/evaluate/verify`: fills what a pasted listing tells. Links are only recognised by their host, never opened.
 * @throws Refusal LINK_UNSUPPORTED when there is a link or number but no text to read, NOT_FOUND, VALIDATION_FAILED
 */
export async function linkVerify(
  { games }: OpenCtx,
  { gameId, link = '', number = '', text = '' }: Req<'evaluation', 'linkVerify'>,
): Promise<Res<'evaluation', 'linkVerify'>> {
  const { config } = await games.find(gameId)
  const pasted = [link, text].join('\n')
  if (`${pasted}${number}`.trim() === '') throw invalid([{ path: 'text', msg: '请粘贴商品链接或描述文字' }])
  const { platform, hasLink, text: words } = splitLinks(pasted)
  const other = otherGame(await games.all(), config, words)
  if (other) throw new Refusal('LINK_UNSUPPORTED', { msg: `这段文字像是${other}的商品，请核对所选的游戏` })
  const parsed = readListing(config, words)
  const ok = Object.keys(parsed).length > 0
  const onlyNumber = number.trim() !== '' || /^\s*[A-Za-z]{0,6}[-#]?\d{5,24}\s*$/.test(words)
  if (!ok && (hasLink || onlyNumber))
    throw new Refusal('LINK_UNSUPPORTED', { msg: noText(platform, hasLink ? '链接' : '商品编号') })
  return { ok, ...(platform && { platform }), parsed, missing: missingKeys(config, parsed) }
}
