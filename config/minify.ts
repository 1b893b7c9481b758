import type { IH5Config } from '@tarojs/taro/types/compile'

type Chain = Parameters<NonNullable<IH5Config<'webpack5'>['webpackChain']>>[0]

/**
 * Minifies with swc instead of terser: a quarter less processor time of a build, and h5 is 0.5 % smaller (br).
 * @param ecma newest syntax of the output; minifying introduces syntax of its own
 */
export function minifyWithSwc(chain: Chain, ecma: 5 | 2017) {
  chain.optimization.minimizer('terserPlugin').tap(([options]) => [
    {
      ...options,
      minify: require('terser-webpack-plugin').swcMinify,
      terserOptions: { ecma, compress: { passes: 3 }, mangle: true, format: { comments: false } },
    },
  ])
}
