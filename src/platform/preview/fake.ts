import type { Preview } from './port'

/** Remembers what was opened. */
export function fakePreview() {
  const opened: { urls: readonly string[]; current: string | undefined }[] = []
  const preview: Preview = { open: (urls, current) => void opened.push({ urls, current }) }
  return { preview, opened }
}
