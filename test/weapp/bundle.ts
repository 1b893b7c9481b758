/** `dist/weapp` as `build.ts` prepares it for the runtime. Keys are paths inside the mini-program, without leading slash. */
export interface Bundle {
  app: AppJson
  /** page.json and component.json, by path without extension */
  json: Record<string, ComponentJson>
  /** plain CSS (rpx already turned into px), by path without extension */
  styles: Record<string, string>
  /** built-in components the templates mention, as `wx-view`, each with the attributes it is given there */
  tags: Record<string, string[]>
  /** functions of the official `wx` object */
  apiNames: string[]
  /** globals defined by the language; all other browser globals are hidden from the app */
  languageGlobals: string[]
}

/** A build after WeChat's compilers. */
export interface Compiled {
  bundle: Bundle
  /** source text of every script, by path with `.js` */
  scripts: Record<string, string>
  /** a JavaScript expression: path → template */
  templates: string
}

export interface AppJson {
  pages: string[]
  subPackages?: { root: string; pages: string[] }[]
  tabBar?: { custom?: boolean; list: { pagePath: string; text: string }[] }
  window?: PageJson
}

interface PageJson {
  navigationStyle?: string
  enablePullDownRefresh?: boolean
  onReachBottomDistance?: number
}

export interface ComponentJson extends PageJson {
  component?: boolean
  styleIsolation?: string
  usingComponents?: Record<string, string>
}

/** Every page of app.json, main package first. */
export function allPages(app: AppJson): string[] {
  return [...app.pages, ...(app.subPackages ?? []).flatMap((p) => p.pages.map((page) => `${p.root}/${page}`))]
}
