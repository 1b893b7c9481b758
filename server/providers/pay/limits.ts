/** fen; Apple takes no less */
export const VIRTUAL_MIN_FEN = 100
