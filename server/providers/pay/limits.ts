/** fen: the lowest price Apple accepts */
export const VIRTUAL_MIN_FEN = 100
