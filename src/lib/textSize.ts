/**
 * The user's text-size setting (spec §5 blocks zooming) → class that sets `--font-scale` to 1, 1.15, 1.3 or 2
 * (tokens.scss).
 */
export const textSizeClass = {
  normal: 'ui-text-m',
  large: 'ui-text-l',
  huge: 'ui-text-xl',
  double: 'ui-text-2x',
} as const
export type TextSize = keyof typeof textSizeClass
/** factors of the text sizes, for drawing outside of pages */
export const textScale: Record<TextSize, number> = { normal: 1, large: 1.15, huge: 1.3, double: 2 }

/** The setting closest to a scale, such as that of the host. */
export function nearestTextSize(scale: number): TextSize {
  const distance = (size: TextSize) => Math.abs(textScale[size] - scale)
  const sizes = ['normal', 'large', 'huge', 'double'] as const
  return sizes.reduce<TextSize>((best, size) => (distance(size) < distance(best) ? size : best), 'normal')
}
