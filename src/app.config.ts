import { mainPages, pagesAPages, routes, tabs } from './router/routes'

/** Run by the build in Node; everything about pages comes from the one route table (spec §2). */
export default defineAppConfig({
  pages: mainPages,
  subPackages: [{ root: 'pagesA', name: 'pagesA', pages: pagesAPages }],
  // the login and record pages are one tap away from these
  preloadRule: {
    [routes.home.path]: { network: 'all', packages: ['pagesA'] },
    [routes.mine.path]: { network: 'all', packages: ['pagesA'] },
  },
  window: {
    navigationStyle: 'custom',
    navigationBarTitleText: '游戏账号估价专家',
    navigationBarTextStyle: 'black',
    navigationBarBackgroundColor: '#FFFFFF',
    backgroundColor: '#F5F7FB',
    backgroundTextStyle: 'dark',
  },
  tabBar: {
    custom: true,
    color: '#6B7280',
    selectedColor: '#2563EB',
    backgroundColor: '#FFFFFF',
    borderStyle: 'white',
    list: tabs.map((name) => ({ pagePath: routes[name].path, text: routes[name].title })),
  },
  lazyCodeLoading: 'requiredComponents',
})
