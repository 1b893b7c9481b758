import type { IMiniAppConfig } from '@tarojs/taro/types/compile'
import { transpile } from './transpile'

export const mini: IMiniAppConfig<'webpack5'> = {
  compile: { include: transpile },
  // code used only by pagesA lands in pagesA
  optimizeMainPackage: { enable: true },
  postcss: { pxtransform: { enable: true, config: { onePxTransform: false } } },
  miniCssExtractPluginOption: { ignoreOrder: true },
}
