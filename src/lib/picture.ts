/** Magic bytes by file type, because file names are unreliable. */
const magicBytes: readonly [kind: string, bytes: readonly (number | undefined)[]][] = [
  ['jpg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  // RIFF????WEBP
  ['webp', [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50]],
]

/** Number of bytes that `isPicture` needs. */
export const MAGIC_BYTES_LENGTH = 12

/** Whether the bytes start a JPEG, PNG or WebP file. */
export const isPicture = (head: Uint8Array) =>
  magicBytes.some(([, bytes]) => bytes.every((byte, index) => byte === undefined || head[index] === byte))

/**
 * Scales down so that the long side is at most `longSide`, but not narrower than `minWidth`; smaller pictures are
 * unchanged.
 */
export function fitWithin(
  width: number,
  height: number,
  { longSide, minWidth }: { longSide: number; minWidth: number },
): { width: number; height: number } {
  const by = Math.min(1, Math.max(longSide / Math.max(width, height), minWidth / width))
  return { width: Math.max(1, Math.round(width * by)), height: Math.max(1, Math.round(height * by)) }
}
