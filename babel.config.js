const env = process.env.TARO_ENV
const testing = process.env.NODE_ENV === 'test'
const h5Targets = { chrome: '70', ios: '12' }
/** ES5, which project.config.json promises WeChat with `es6: false`. */
const weappTargets = { ios: '9', android: '5' }

module.exports = {
  presets: [
    [
      'taro',
      {
        framework: 'react',
        ts: true,
        compiler: 'webpack5',
        ...(testing ? {} : { targets: env === 'h5' ? h5Targets : weappTargets, ignoreBrowserslistConfig: true }),
      },
    ],
  ],
  // NutUI: one import per component, each with its ready-made CSS
  plugins: [
    [
      'import',
      {
        libraryName: '@nutui/nutui-react-taro',
        camel2DashComponentName: false,
        customName: (name) => `@nutui/nutui-react-taro/dist/es/packages/${name.toLowerCase()}`,
        style: testing ? false : (path) => `${path}/style/css`,
      },
      'nutui',
    ],
  ],
}
