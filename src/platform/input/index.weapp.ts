import type { InputBehaviour } from './port'

export const input: InputBehaviour = { keepsRefusedText: true, dropsKeysByType: false }
