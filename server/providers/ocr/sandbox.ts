import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type OcrPage, type OcrPort, UnreadablePicture } from './port'

/** Name of the file that says what is on a picture. */
export const sideFileOf = (picture: Uint8Array): string => `${hash('sha256', picture, 'hex')}.json`

/** For tests: what a picture shows is read from a JSON file in `folder`. A picture without one is unreadable. */
export const createSandboxOcr = (folder: string): OcrPort => ({
  async read(picture) {
    const text = await readFile(path.join(folder, sideFileOf(picture)), 'utf8').catch(() => undefined)
    if (text === undefined) throw new UnreadablePicture('no side file')
    return JSON.parse(text) as OcrPage
  },
  close: async () => undefined,
})
