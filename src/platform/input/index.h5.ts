import type { InputBehaviour } from './port'

/** Taro resets the input to its value after every event, and cancels `beforeinput` by the type. */
export const input: InputBehaviour = { keepsRefusedText: false, dropsKeysByType: true }
