import path from 'node:path'
import type { Settings } from '../../settings'
import { createPaddleOcr } from './paddle'
import type { OcrPort } from './port'
import { createSandboxOcr } from './sandbox'

/** The configured recogniser; undefined: pictures are not read, and nobody is offered it. */
export const openOcr = ({ ocr, dataDir }: Pick<Settings, 'ocr' | 'dataDir'>): OcrPort | undefined =>
  ocr === 'off' ? undefined : ocr === 'sandbox' ? createSandboxOcr(path.join(dataDir, 'ocr')) : createPaddleOcr()
