/** Marketplaces that sellers copy from, recognised by a link's host or by name. Nothing is ever fetched from them. */
interface Place {
  name: string
  hosts: readonly string[]
  /** names by which a copied text mentions it without a link */
  words: readonly string[]
}

const places: readonly Place[] = [
  { name: '盼之', hosts: ['pzds.com'], words: ['盼之'] },
  { name: '螃蟹账号', hosts: ['pxb7.com'], words: ['螃蟹账号', '螃蟹游戏'] },
  { name: '交易猫', hosts: ['jiaoyimao.com'], words: ['交易猫'] },
  { name: '7881', hosts: ['7881.com'], words: ['7881'] },
  { name: '5173', hosts: ['5173.com'], words: ['5173'] },
  { name: '闲鱼', hosts: ['goofish.com', '2.taobao.com', 'm.tb.cn'], words: ['闲鱼'] },
  { name: '转转', hosts: ['zhuanzhuan.com'], words: ['转转'] },
  { name: '氪金兽', hosts: ['kejinshou.com'], words: ['氪金兽'] },
  { name: '淘手游', hosts: ['taoshouyou.com'], words: ['淘手游'] },
  { name: 'DD373', hosts: ['dd373.com'], words: ['dd373'] },
  { name: '藏宝阁', hosts: ['cbg.163.com'], words: ['藏宝阁'] },
]

export interface Split {
  /** name of the recognised marketplace, if any */
  platform: string | undefined
  hasLink: boolean
  /** the text without links */
  text: string
}

const withinHost = (host: string, listed: string): boolean => host === listed || host.endsWith(`.${listed}`)

function hostOf(word: string): string | undefined {
  if (!/^https?:\/\//i.test(word)) return undefined
  try {
    return new URL(word).hostname.toLowerCase()
  } catch {
    return undefined
  }
}

/** A word without Chinese is a link when it has a scheme or starts with a marketplace's host. */
function linkHost(word: string): string | undefined {
  const bare = word.replace(/^[("'<[]+/, '')
  const start = bare.search(/https?:\/\//i)
  if (start >= 0) return hostOf(bare.slice(start)) ?? ''
  const host = hostOf(`https://${bare}`)
  return places.some(({ hosts }) => hosts.some((listed) => host && withinHost(host, listed))) ? host : undefined
}

/** Removes links from a pasted text and returns the marketplace they belong to. */
export function splitLinks(pasted: string): Split {
  let host: string | undefined
  const text = pasted.replace(/[\x21-\x7e]{4,}/g, (word) => {
    const found = linkHost(word)
    host ??= found
    return found === undefined ? word : '\n'
  })
  const lower = text.toLowerCase()
  const place =
    places.find(({ hosts }) => hosts.some((listed) => host !== undefined && withinHost(host, listed))) ??
    (host === undefined ? places.find(({ words }) => words.some((word) => lower.includes(word))) : undefined)
  return { platform: place?.name, hasLink: host !== undefined, text }
}
