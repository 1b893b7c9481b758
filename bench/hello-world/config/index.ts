import { defineConfig } from '@tarojs/cli'

/** Taro's default settings for React on h5, without anything of the product's. */
export default defineConfig<'webpack5'>({
  projectName: 'hello-world',
  designWidth: 375,
  deviceRatio: { 375: 2 },
  sourceRoot: 'src',
  outputRoot: '../../dist/hello-world',
  framework: 'react',
  compiler: { type: 'webpack5', prebundle: { enable: false } },
  mini: {},
  h5: { publicPath: '/', router: { mode: 'browser' } },
})
