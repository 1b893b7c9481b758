import { NETWORK_TIMEOUT } from './contract/constants'
import { mainPages, pagesAPages, routes, tabs } from './router/routes'

/** Run by the build in Node; everything about pages is derived from the one route table (spec §2). */
export default defineAppConfig({
  pages: mainPages,
  subPackages: [{ root: 'pagesA', name: 'pagesA', pages: pagesAPages }],
  // the login and record pages are one tap away from these
  preloadRule: {
    [routes.home.path]: { network: 'all', packages: ['pagesA'] },
    [routes.mine.path]: { network: 'all', packages: ['pagesA'] },
  },
  // names with @ are defined in theme.json; the pages' own colours in ui/tokens.scss
  darkmode: true,
  themeLocation: 'theme.json',
  // copied by the build (config/index.ts)
  sitemapLocation: 'sitemap.json',
  window: {
    navigationStyle: 'custom',
    navigationBarTitleText: '游戏账号估价专家',
    navigationBarTextStyle: '@barText',
    navigationBarBackgroundColor: '@bar',
    backgroundColor: '@bg',
    backgroundTextStyle: '@pull',
  },
  tabBar: {
    custom: true,
    color: '@hint',
    selectedColor: '@blue',
    backgroundColor: '@bar',
    list: tabs.map((name) => ({ pagePath: routes[name].path, text: routes[name].title })),
  },
  lazyCodeLoading: 'requiredComponents',
  // ms, spec §9; the time-out of the calls is the same
  networkTimeout: {
    request: NETWORK_TIMEOUT,
    connectSocket: NETWORK_TIMEOUT,
    uploadFile: NETWORK_TIMEOUT,
    downloadFile: NETWORK_TIMEOUT,
  },
})
