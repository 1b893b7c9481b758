/** Where the login in WeChat's browser continues after the redirect. */
export interface LoginRequest {
  /** page of the app the user wanted */
  back: string | undefined
  /** binds the WeChat user to the logged-in account instead of logging in */
  bind?: boolean
}

/** Result of the redirect in WeChat's browser, and its purpose. */
export interface WechatReturn extends LoginRequest {
  /** undefined: the result belongs to no request of this browser, or the user declined */
  code: string | undefined
  state: string
}

/** The host's own login: codes of the mini-program, or the redirect to WeChat and back in its browser. */
export interface WechatLogin {
  /** A fresh code the server exchanges for the user; undefined when the host refuses. */
  code(): Promise<string | undefined>
  /**
   * The `open-type` of the host's phone-number button: where the host's privacy guide can be joined to it, one
   * tap answers both.
   */
  readonly phoneButton: 'getPhoneNumber' | 'getPhoneNumber|agreePrivacyAuthorization'
  /** Binds the result to this attempt. */
  state(): string
  /** This is WeChat's own browser. */
  inBrowser(): boolean
  /** Goes to WeChat; the page is left. */
  leave(request: LoginRequest): void
  /** Whether WeChat redirected to this page. Removes the result from the address, so it is used once. */
  returned(): WechatReturn | undefined
}

/** Not a secret: the codes themselves are single-use. */
export const newState = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`
