/** What the host's own login needs; only the mini-program has one. */
export interface WechatLogin {
  /** A fresh code the server exchanges for the user; undefined when the host refuses. */
  code(): Promise<string | undefined>
  /** Ties the answer to this attempt. */
  state(): string
}

/** Not a secret: the codes themselves are single-use. */
export const newState = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`
