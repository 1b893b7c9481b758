import path from 'node:path'
import { defineConfig, type UserConfigExport } from '@tarojs/cli'
import { h5 } from './h5'
import { mini } from './weapp'

const root = path.resolve(__dirname, '..')
const watching = process.argv.includes('--watch')

/** Taro passes all of it to webpack's cache; its own type lacks the folder. */
const cache = {
  enable: process.env.TARO_CACHE !== '0',
  // beside the other caches, so that CI has one folder to keep between runs, and separate for the gallery, which resolves
  // Taro's components differently (config/h5.ts)
  cacheDirectory: path.join(root, '.cache/webpack', process.env.TARO_ENV ?? '', process.env.GALLERY ?? ''),
  buildDependencies: { babel: [path.join(root, 'babel.config.js')] },
}

/** Taro configuration shared by both platforms; h5.ts and weapp.ts hold the differences. */
export default defineConfig<'webpack5'>(async () => {
  // watch mode empties its output folder, so it must not share the production one; tests may build elsewhere
  const outputRoot = `${process.env.BUILD_DIR ?? (watching ? 'dist-dev' : 'dist')}/${process.env.TARO_ENV}`
  const config: UserConfigExport<'webpack5'> = {
    projectName: 'game-account-valuation',
    date: '2026-11-21',
    // spec §9: base width 375, which is also NutUI's
    designWidth: 375,
    deviceRatio: { 375: 2, 640: 2.34 / 2, 750: 1, 828: 1.81 / 2 },
    sourceRoot: 'src',
    outputRoot,
    plugins: ['aria.ts', 'templates.ts'].map((file) => path.join(__dirname, file)),
    framework: 'react',
    compiler: { type: 'webpack5', prebundle: { enable: false }, errorLevel: 1 },
    cache,
    alias: {
      '@': path.join(root, 'src'),
      // never drawn: −13 kB of the mini-program's main package
      '@nutui/icons-react-taro$': path.join(__dirname, 'shims/nutui-icons.js'),
    },
    defineConstants: {
      // shared pages and mini-program requests need an absolute address; on h5 the api is the page's own origin
      API_BASE: JSON.stringify(process.env.API_BASE ?? (process.env.TARO_ENV === 'h5' ? '' : 'http://127.0.0.1:3000')),
      // ships in the client: detects mistakes, does not authenticate
      SIGN_SECRET: JSON.stringify(process.env.SIGN_SECRET ?? 'dev-sign-secret'),
      SUBSCRIBE_TEMPLATES: JSON.stringify(process.env.SUBSCRIBE_TEMPLATES ?? ''),
      PRODUCTION: JSON.stringify(process.env.GALLERY !== '1' && !watching),
    },
    // what WeChat's search may show; Taro itself does not carry it over
    ...(process.env.TARO_ENV === 'weapp' && {
      copy: { patterns: [{ from: 'src/sitemap.json', to: `${outputRoot}/sitemap.json` }], options: {} },
    }),
    mini,
    h5,
  }
  return config
})
