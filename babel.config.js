const env = process.env.TARO_ENV
const testing = process.env.NODE_ENV === 'test'
const h5Targets = { chrome: '70', ios: '12' }
/** ES5, which project.config.json promises WeChat with `es6: false`. */
const weappTargets = { ios: '9', android: '5' }

/** NutUI says `ariaRole`, of which Taro makes `aria-role` on h5: no such attribute. Both ends know `role` (config/aria.ts). */
const spokenRole = () => ({
  visitor: {
    ObjectProperty({ node }, { filename }) {
      if (node.key.name === 'ariaRole' && filename.includes('@nutui')) node.key.name = 'role'
    },
  },
})

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
  // NutUI: one import per component, each with its own ready-made CSS; only Popup draws with another's, Overlay's
  plugins: [
    spokenRole,
    [
      'import',
      {
        libraryName: '@nutui/nutui-react-taro',
        camel2DashComponentName: false,
        customName: (name) => `@nutui/nutui-react-taro/dist/es/packages/${name.toLowerCase()}`,
        style: testing ? false : (path) => `${path}/style/${path.endsWith('/popup') ? 'css' : 'style.css'}`,
      },
      'nutui',
    ],
  ],
}
