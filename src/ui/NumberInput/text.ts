export interface NumberRules {
  min?: number | undefined
  max?: number | undefined
  /** digits after the point; 0 when left out */
  scale?: number | undefined
}

/**
 * What of `raw` can stand in a number box: digits (full-width ones too), one point, at most `scale` decimals. What comes
 * after another character is no part of the number: `1e5` is not 15.
 */
export function cleanNumber(raw: string, { scale = 0, min }: NumberRules): string {
  const half = raw.replace(/[０-９．－，]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
  const sign = min !== undefined && min < 0 && half.trim().startsWith('-') ? '-' : ''
  const [number = ''] = half.replace(/^[^\d.]+|[,\s]/g, '').match(/^[\d.]+/) ?? []
  const [whole = '', ...rest] = number.split('.')
  const digits = whole.replace(/^0+(?=\d)/, '')
  if (scale === 0 || rest.length === 0) return sign + digits
  return `${sign}${digits || '0'}.${rest.join('').slice(0, scale)}`
}

/** Number of a cleaned text; undefined while there is none (empty, `-`). */
export function numberOf(text: string): number | undefined {
  const n = text === '' || text === '-' ? Number.NaN : Number(text)
  return Number.isFinite(n) ? n : undefined
}

/** Next value of the stepper, inside the limits; a first tap on an empty box gives the lowest value or 0. */
export function stepped(value: number | undefined, by: 1 | -1, { min = 0, max }: NumberRules): number {
  const next = value === undefined ? min : value + by
  return Math.max(min, max === undefined ? next : Math.min(max, next))
}
