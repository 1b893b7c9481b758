/** Fields of the desk's delivery form as an appraiser would fill them, read from the page. */

const all = (body: string, pattern: RegExp) =>
  [...body.matchAll(pattern)].map(([, first = '', second = '']) => [first, second] as const)
const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** What a refused delivery asks to be confirmed, if it does. */
export const confirmationIn = (body: string): string | undefined => {
  const [, sure] = /name="sure" value="([^"]*)"/.exec(body) ?? []
  return sure === undefined ? undefined : unescaped(sure)
}

/** @param price yuan @param body the order's page with the delivery form */
export function deliveryFields(body: string, price: number): Record<string, string> {
  const at = (share: number) => (price * share).toFixed(2)
  const lines = all(body, /name="note-(\d+)-label" value="([^"]*)"/g)
  const likes = all(body, /name="like-(\d+)-id" value="([^"]*)"/g)
  const checks = all(body, /name="check-(\d+)"/g)
  return {
    // present once both prices are on the page
    ...Object.fromEntries(all(body, /name="(seen)" value="([^"]*)"/g)),
    ...{ low: at(0.9), quick: at(0.95), list: at(1.05), high: at(1.1) },
    ...Object.fromEntries(
      lines.flatMap(([i, given]) => {
        const label = unescaped(given) || `自己的第 ${i} 项`
        return [
          [`note-${i}-label`, label],
          [`note-${i}-verdict`, 'AGREE'],
          [`note-${i}-why`, `“${label}”和近期成交相符`],
        ]
      }),
    ),
    ...Object.fromEntries(
      likes.flatMap(([i, id]) => [
        [`like-${i}-id`, unescaped(id)],
        [`like-${i}-verdict`, 'KEPT'],
        [`like-${i}-why`, `与第 ${Number(i) + 1} 个资料几乎一致`],
      ]),
    ),
    ...Object.fromEntries(checks.map(([i]) => [`check-${i}`, 'on'])),
    ...{ 'plan-floor': at(0.95), 'advice-0-fee': '6', 'advice-1-fee': '0' },
    ...{ 'advice-0-channel': '寄售平台', 'advice-0-how': '先按建议挂牌价挂出，一周后再降到参考价' },
    ...{ 'advice-1-channel': '自己挂牌', 'advice-1-how': '写清二次实名和绑定情况，截图放全' },
    ...Object.fromEntries(
      all(body, /name="(bind-\w+-cost)"/g).flatMap(([name]) => [
        [name, '0'],
        [name.replace('cost', 'basis'), '资料写明没有'],
      ]),
    ),
    ...(body.includes('name="plan-0-day"') && {
      ...{ 'plan-0-day': '1', 'plan-0-price': at(1.05), 'plan-1-day': '4', 'plan-1-price': at(1.02) },
      ...{ 'plan-2-day': '7', 'plan-2-price': at(1) },
      ...{ 'bargain-0-says': '有防沉迷', 'bargain-0-how': '报价里已经扣过，不再让' },
      ...{ 'bargain-1-says': '同类更便宜', 'bargain-1-how': '那些账号少一款典藏，最多让到 {底价}' },
    }),
  }
}
