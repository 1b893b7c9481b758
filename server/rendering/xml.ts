const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** what XML cannot hold at all */
const unfit = /[\p{Cs}\uFFFE\uFFFF]|(?![\t\n\r])\p{Cc}/gu

/** Any text between tags or in an attribute of XML. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (c) => escapes[c] ?? '').replace(unfit, '')
