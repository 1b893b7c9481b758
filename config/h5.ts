import path from 'node:path'
import type { IH5Config } from '@tarojs/taro/types/compile'
import { assetBase, isCrossOrigin } from './assets'
import { minifyWithSwc } from './minify'
import { PageFiles } from './page-files'
import {
  isHomeModule,
  isHomeTaroModule,
  isNonHomeModule,
  isNonHomeTaroModule,
  SHARED_CHUNK_MIN_PAGES,
} from './shared-chunks'
import { nodeModule, transpiledPackages } from './transpile'

const shim = (file: string) => path.join(__dirname, 'shims', file)

/** What is left out of a first visit, and why: docs/decisions/small-first-visit.md. */
export const h5: IH5Config<'webpack5'> = {
  publicPath: assetBase,
  staticDirectory: 'static',
  router: { mode: 'browser', basename: '' },
  // otherwise NutUI's styles stay in px while everything else is rem
  esnextModules: ['nutui-react-taro', 'icons-react-taro'],
  compile: { include: transpiledPackages },
  output: {
    filename: 'js/[name].[contenthash:8].js',
    chunkFilename: 'js/[name].[contenthash:8].js',
    chunkLoadTimeout: 60_000,
    ...(isCrossOrigin && { crossOriginLoading: 'anonymous' }),
  } as IH5Config<'webpack5'>['output'],
  // its own file, which does not hold up the styles; mini-programs get it inlined
  fontUrlLoaderOption: { limit: 1, name: 'static/[name].[contenthash:8][ext]' },
  miniCssExtractPluginOption: {
    ignoreOrder: true,
    filename: 'css/[name].[contenthash:8].css',
    chunkFilename: 'css/[name].[contenthash:8].css',
  },
  devServer: {
    host: '127.0.0.1',
    port: 10086,
    open: false,
    proxy: [
      { context: ['/app-api', '/sandbox'], target: `http://127.0.0.1:${process.env.PORT ?? 3000}` },
    ] as unknown as Record<string, never>,
  },
  webpackChain(chain, webpack) {
    chain.target(['web', 'es2017'] as unknown as string)
    chain.performance.hints(false)
    // The only place where route.load can be wrapped before Taro's router captures it (spec §2: 200 ms / 60 s
    // placeholders).
    chain.plugin('mainPlugin').tap((args) => {
      const meta = args[0].loaderMeta
      meta.extraImportForWeb += `import { setupH5Router } from '@/boot/h5-router'\n`
      meta.execBeforeCreateWebApp += `setupH5Router(config)\n`
      return args
    })
    trimTaro(chain, webpack)
    // index.html has its own rem script: Taro's uses min(width, height), so the text shrinks when the keyboard opens
    chain.plugin('htmlWebpackPlugin').tap((args) => {
      args[0].script = ''
      return args
    })
    if (process.env.NODE_ENV === 'production') production(chain, webpack)
  },
  postcss: {
    [shim('nutui-variants.js')]: { enable: true },
    autoprefixer: { enable: true },
    pxtransform: {
      enable: true,
      config: { baseFontSize: 16, minRootSize: 1, maxRootSize: 40.96, onePxTransform: false } as Record<
        string,
        unknown
      >,
    },
  },
}

/**
 * Replaces parts of Taro that the app never renders or that browsers provide. What each saves of a first visit, measured
 * with and without it, is in kB br beside it; one that saves less than 1 kB goes.
 */
function trimTaro(chain: Chain[0], webpack: Chain[1]) {
  const parts = {
    // 2.6
    'router[\\\\/]dist[\\\\/]tabbar': 'tabbar',
    // 2.3
    'router[\\\\/]dist[\\\\/]navigationBar': 'navigationBar',
  }
  for (const [part, name] of Object.entries(parts))
    chain
      .plugin(`trim-${name}`)
      .use(webpack.NormalModuleReplacementPlugin, [new RegExp(`@tarojs[\\\\/]${part}\\.js$`), shim(`taro/${name}.js`)])
  chain.resolve.alias
    // costs 0.1: corrects going forward
    .set('history$', shim('taro/history.js'))
    // 2.2
    .set('query-string$', shim('taro/query-string.js'))
    // 2.0
    .set('universal-router$', shim('taro/router.js'))
    // costs nothing: reads localStorage when it is loaded, which throws where cookies are blocked, and with it fails the
    // chunk that sends all requests. We send none by JSONP
    .set('jsonp-retry$', shim('taro/jsonp-retry.js'))
  // 3.6, and rows that scroll sideways can be pulled down. The gallery uses Taro's own components: with the shim webpack
  // drops its imports there and the page stays empty
  if (process.env.GALLERY !== '1') chain.resolve.alias.set('@tarojs/components$', shim('taro/components.js'))
  // so that unused components are tree-shaken
  chain.module
    .rule('trimComponents')
    .test(/shims[\\/]taro[\\/]components\.js$/)
    .set('sideEffects', false)
}

type Chain = Parameters<NonNullable<IH5Config<'webpack5'>['webpackChain']>>

function production(chain: Chain[0], webpack: Chain[1]) {
  minifyWithSwc(chain, 2017)
  chain.plugin('pageFiles').use(PageFiles)
  // Taro keeps its component CSS in JS; extract it, without the weui icon font nobody uses here: 3.4 kB br less on every
  // page (its file is 3.5 kB, ours 0.2)
  const { loader } = require('mini-css-extract-plugin')
  const rule = chain.module.rule('taroStyle')
  rule.uses.clear()
  rule.use('extract').loader(loader)
  chain
    .plugin('trimCss')
    .use(webpack.NormalModuleReplacementPlugin, [
      /taro-components[\\/]taro-components\.css$/,
      shim('taro-components.css'),
    ])
  chain.optimization.splitChunks({
    chunks: 'all',
    minSize: 0,
    maxInitialRequests: 6,
    maxAsyncRequests: 12,
    cacheGroups: {
      default: false,
      defaultVendors: false,
      vendor: { name: 'vendor', test: nodeModule(''), priority: 40, chunks: 'initial', enforce: true },
      // Taro components used by home; the others (forms, rich text) go into `taro`
      ui: { name: 'ui', test: isHomeTaroModule, minChunks: 3, priority: 32, chunks: 'async', reuseExistingChunk: true },
      taro: {
        name: 'taro',
        test: isNonHomeTaroModule,
        minChunks: 3,
        priority: 30,
        chunks: 'async',
        reuseExistingChunk: true,
      },
      // separate from Taro, which home needs: keeps 20 kB br off the home page
      nut: {
        name: 'nut',
        test: nodeModule('(@nutui|@swc|classnames|react-fast-compare|react-transition-group)'),
        minChunks: 2,
        priority: 35,
        chunks: 'async',
        reuseExistingChunk: true,
      },
      base: { name: 'base', test: isHomeModule, minChunks: SHARED_CHUNK_MIN_PAGES, priority: 28, chunks: 'async' },
      common: {
        name: 'common',
        test: isNonHomeModule,
        minChunks: SHARED_CHUNK_MIN_PAGES,
        priority: 26,
        chunks: 'async',
      },
      shared: { minChunks: 2, minSize: 4000, priority: 20, chunks: 'async', reuseExistingChunk: true },
    },
  })
}
