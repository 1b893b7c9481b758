const env = process.env.TARO_ENV
const testing = process.env.NODE_ENV === 'test'
const h5Targets = { chrome: '70', ios: '12' }
/**
 * What preset-env's `bugfixes` does, which the preset of Taro does not pass on: the syntax stays, because these targets
 * know it, and only the cases in which Safari is wrong are rewritten. −2 % of all JavaScript.
 */
const h5Bugfixes = {
  exclude: ['transform-destructuring', 'transform-parameters', 'transform-template-literals'],
  include: [
    'bugfix/transform-safari-id-destructuring-collision-in-function-expression',
    'bugfix/transform-safari-rest-destructuring-rhs-array',
    'bugfix/transform-tagged-template-caching',
  ],
}
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
        ...(!testing && env === 'h5' && h5Bugfixes),
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
