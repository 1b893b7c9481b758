import path from 'node:path'
import type { IMiniAppConfig } from '@tarojs/taro/types/compile'
import { minifyWithSwc } from './minify'
import { transpiledPackages } from './transpile'

export const mini: IMiniAppConfig<'webpack5'> = {
  // also our own runtime shim: old phones support ES5 only
  compile: { include: [...transpiledPackages, /config[\\/]shims[\\/]aria/] },
  // code used only by pagesA goes into that subpackage
  optimizeMainPackage: { enable: true },
  webpackChain(chain) {
    chain.module
      .rule('readableWx')
      .test(/@tarojs[\\/](shared[\\/]dist[\\/]native-apis|plugin-platform-weapp[\\/]dist[\\/]runtime)\.js$/)
      .use('readableWx')
      .loader(path.join(__dirname, 'readable-wx.js'))
    if (process.env.NODE_ENV === 'production') minifyWithSwc(chain, 5)
  },
  postcss: {
    [path.join(__dirname, 'shims/nutui-variants.js')]: { enable: true },
    pxtransform: { enable: true, config: { onePxTransform: false } },
  },
  miniCssExtractPluginOption: { ignoreOrder: true },
}
