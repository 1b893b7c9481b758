/** The games' official pages about accounts and rules. */
const ofGames = [
  'pvp.qq.com',
  'gp.qq.com',
  'df.qq.com',
  'lolm.qq.com',
  'val.qq.com',
  'ys.mihoyo.com',
  'sr.mihoyo.com',
  'yjwujian.cn',
]

/** Domains, including subdomains, that may be shown inside the app over https. @param collector address, added to them */
export const webDomains = (collector: string | undefined): readonly string[] => [
  ...new Set([...ofGames, ...(collector ? [new URL(collector).host] : [])]),
]
