const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** characters not allowed in XML */
const unfit = /[\p{Cs}\uFFFE\uFFFF]|(?![\t\n\r])\p{Cc}/gu

/** Escapes a text for XML content or attributes. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (c) => escapes[c] ?? '').replace(unfit, '')
