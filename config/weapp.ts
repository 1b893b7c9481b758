import type { IMiniAppConfig } from '@tarojs/taro/types/compile'
import { transpile } from './transpile'

export const mini: IMiniAppConfig<'webpack5'> = {
  // our own runtime part as well: old phones know ES5 only
  compile: { include: [...transpile, /config[\\/]shims[\\/]aria/] },
  // code used only by pagesA lands in pagesA
  optimizeMainPackage: { enable: true },
  postcss: { pxtransform: { enable: true, config: { onePxTransform: false } } },
  miniCssExtractPluginOption: { ignoreOrder: true },
}
