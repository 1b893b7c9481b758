/** Fields of the desk's delivery form as an appraiser would fill them, read from the page. */

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** Labels of the model's lines in the form, the largest first. */
export const linesIn = (body: string): string[] =>
  [...body.matchAll(/name="own-([^"]*)"/g)].map(([, label = '']) => unescaped(label))

/** Ids of the comparables in the form. */
export const comparablesIn = (body: string): string[] => [
  ...new Set([...body.matchAll(/name="strike-([^"]*)"/g)].map(([, id = '']) => unescaped(id))),
]

/** A comment of sufficient length that begins with these words. */
export const commentOf = (words: string): string =>
  `${words}。价格按近期成交和账号的核心资产得出，区服和实名情况已经计入。出售前先把绑定的邮箱换成自己能转交的，再到寄售平台挂出，一周没有询价就降到参考成交价。`

/** @param price yuan @param body the order's page with the delivery form */
export function deliveryFields(body: string, price: number): Record<string, string> {
  const priceAt = (share: number) => (price * share).toFixed(2)
  return {
    ...Object.fromEntries([...body.matchAll(/name="(check-[^"]*)"/g)].map(([, name = '']) => [unescaped(name), 'on'])),
    ...{ low: priceAt(0.9), quick: priceAt(0.95), list: priceAt(1.05), high: priceAt(1.1) },
    comment: commentOf('按成交和截图逐项核对'),
  }
}
