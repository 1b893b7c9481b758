import type { InputBehaviour } from './port'

/** Taro resets the input to its value after every event. */
export const input: InputBehaviour = { keepsRefusedText: false }
