import type { InputBehaviour } from './port'

/** Taro compares the box with its value after every event. */
export const input: InputBehaviour = { keepsRefusedText: false }
