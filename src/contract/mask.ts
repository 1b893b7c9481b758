/** Masking of personal data. Pure; the server masks before sending. */

/** `138****8000` */
export function maskMobile(mobile: string): string {
  return mobile.length < 8 ? '****' : `${mobile.slice(0, 3)}****${mobile.slice(-4)}`
}

/** `张*`, `欧**` */
export function maskName(name: string): string {
  const letters = Array.from(name)
  return (letters[0] ?? '') + '*'.repeat(Math.max(1, letters.length - 1))
}

/** `1101**********002X` */
export function maskIdNo(idNo: string): string {
  return idNo.length < 9 ? '****' : `${idNo.slice(0, 4)}${'*'.repeat(idNo.length - 8)}${idNo.slice(-4)}`
}

/** `峡**客`: first and last character, always two stars; a nick of at most two characters keeps its first. */
export function maskNick(nick: string): string {
  const letters = Array.from(nick)
  const last = letters.length > 2 ? letters[letters.length - 1] : ''
  return `${letters[0] ?? ''}**${last}`
}

/** `548***090`: a game's public id. */
export function maskGameId(id: string): string {
  return id.length < 7 ? '***' : `${id.slice(0, 3)}***${id.slice(-3)}`
}
