const path = require('node:path')
const bundled = require('./test/fakes/bundled')
const engine = require('./test/fakes/engine')

const kit = path.dirname(require.resolve('@tarojs/test-utils-react/package.json'))
const babel = path.join(kit, 'dist/jest/babel-transformer.js')

/** Packages in node_modules that are ESM only and so must go through a transformer. */
const esm = (names) => [`<rootDir>/node_modules/(?!(${names})/)`]

/** Transforms to what Node runs; JSX as in tsconfig.json. */
const swc = (parser) => [
  '@swc/jest',
  {
    jsc: { target: 'es2022', parser, transform: { react: { runtime: 'automatic' } } },
    module: { type: 'commonjs' },
  },
]

/** Taro's components that draw more than their children. */
const drawn = 'button|image|input|page-container|rich-text|scroll-view|textarea|web-view'

/** A file named x.deep.test.ts belongs to the project `deep` only. */
const deepTests = '\\.deep\\.test\\.'

/** WeChat's uploader with its thousand packages: not used by any test. */
const apart = ['<rootDir>/tools/weapp-ci']

/** What the build defines (config/index.ts). */
const appGlobals = {
  API_BASE: 'http://localhost',
  SIGN_SECRET: 'test-secret',
  SUBSCRIBE_TEMPLATES: 'tmpl-report',
  PRODUCTION: false,
}

/**
 * From @tarojs/test-utils-react 0.1.1 (written for Taro 3.6) we take its babel transformer, its taro-h5 entry and
 * mount/queries/fireEvent/act; what does not fit Taro 4 is replaced in test/fakes.
 */
const app = (platform) => ({
  displayName: platform,
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/fakes/jsdom-environment.js',
  testEnvironmentOptions: { url: 'http://localhost/', customExportConditions: ['node', 'node-addons'], platform },
  // x.test.tsx is a screen and runs on h5; x.h5, x.weapp and x.both name their platforms
  testMatch: [
    ...(platform === 'h5' ? ['<rootDir>/{src,test/spec}/**/*.test.tsx'] : []),
    `<rootDir>/{src,test/spec}/**/*.{${platform},both}.test.{ts,tsx}`,
  ],
  testPathIgnorePatterns: ['/node_modules/', deepTests, ...(platform === 'h5' ? ['\\.weapp\\.test\\.'] : [])],
  modulePathIgnorePatterns: apart,
  setupFiles: ['<rootDir>/test/fakes/setup.js'],
  moduleFileExtensions: [`${platform}.tsx`, `${platform}.ts`, 'ts', 'tsx', 'js', 'mjs', 'json', 'jsx'],
  transform: {
    'test-utils-react/dist/jest/runtime/taro-h5\\.js$': babel,
    // as in the builds, for what babel.config.js does to it
    '/node_modules/@nutui/.+\\.js$': babel,
    // for the imports of NutUI, which babel.config.js resolves to one file per component
    '/src/ui/.+\\.tsx?$': babel,
    // all else takes a fraction of Babel's time in swc; packages in node_modules may have JSX in .js files
    '/node_modules/.+\\.(mjs|js)$': swc({ syntax: 'ecmascript', jsx: true }),
    '^.+\\.(mjs|js|ts|tsx)$': swc({ syntax: 'typescript', tsx: true }),
  },
  transformIgnorePatterns: esm(
    '@tarojs|@stencil|@nutui|jotai|query-string|filter-obj|split-on-first|decode-uri-component|lodash-es|swiper|typebox|@babel/runtime/helpers/esm|@swc/helpers',
  ),
  moduleNameMapper: {
    '^@tarojs/taro$':
      platform === 'weapp' ? '<rootDir>/test/fakes/taro-weapp.js' : path.join(kit, 'dist/jest/runtime/taro-h5.js'),
    '^@tarojs/components$': '@tarojs/components/lib/react/index',
    [`^\\./taro-(?!(${drawn})-core)[a-z-]+-core\\.js$`]: '<rootDir>/test/fakes/taro-element.js',
    '\\.(css|scss)$': '<rootDir>/test/fakes/style.js',
    '^@/(.*)$': '<rootDir>/src/$1',
    // breaks the import cycle router → components → taro-h5 → router
    '^\\./tabbar\\.js$': '<rootDir>/test/fakes/router-tabbar.js',
    '^react-dom/test-utils$': '<rootDir>/test/fakes/react-dom-test-utils.js',
    '^swiper/bundle$': '<rootDir>/test/fakes/swiper.js',
    '^fast-check$': '<rootDir>/test/fakes/fast-check.js',
  },
  globals: {
    ...appGlobals,
    ENABLE_INNER_HTML: true,
    ENABLE_ADJACENT_HTML: true,
    ENABLE_SIZE_APIS: true,
    ENABLE_TEMPLATE_CONTENT: true,
    ENABLE_MUTATION_OBSERVER: true,
    ENABLE_CLONE_NODE: true,
    ENABLE_CONTAINS: true,
    DEPRECATED_ADAPTER_COMPONENT: false,
    __TARO_FRAMEWORK__: 'react',
  },
})

/**
 * Handed to every module as parameters: in the world of its own that jest gives each test file a look at a global costs
 * more than most of what is done with it. None that tests replace (Date, timers, fetch).
 */
const plainGlobals = [
  'Array',
  'Boolean',
  'Float64Array',
  'Int32Array',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Set',
  'String',
  'Uint8Array',
  'WeakMap',
]

/** Plain Node: the contract, the server, and the end-to-end tests in real browsers. */
const node = (displayName, testMatch, { moduleNameMapper, ...extra } = {}) => ({
  displayName,
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/fakes/node-environment.js',
  testMatch,
  testPathIgnorePatterns: ['/node_modules/', deepTests],
  modulePathIgnorePatterns: apart,
  transform: {
    '^.+\\.(mjs|js|ts|tsx)$': swc({ syntax: 'typescript', tsx: true }),
  },
  sandboxInjectedGlobals: plainGlobals,
  transformIgnorePatterns: [...esm('typebox'), '/\\.cache/jest-bundles/'],
  moduleNameMapper: {
    '^@/(.*)$': '<rootDir>/src/$1',
    '^(@electric-sql/pglite|fontkit|ioredis|jsqr|markdown-it|playwright-core)$': '<rootDir>/test/fakes/outside/$1.js',
    '^@node-rs/argon2$': '<rootDir>/test/fakes/argon2.js',
    '^fast-check$': '<rootDir>/test/fakes/fast-check.js',
    ...bundled,
    ...moduleNameMapper,
  },
  ...extra,
})

/** Functions without screen, database or server. Of what the platforms do differently they get h5's. */
const unit = node(
  'unit',
  ['<rootDir>/{src,test/spec}/**/*.test.ts', '<rootDir>/server/{engine,fixtures}/**/*.test.ts'],
  {
    testPathIgnorePatterns: ['/node_modules/', deepTests, '\\.(h5|weapp|both)\\.test\\.'],
    moduleFileExtensions: ['h5.tsx', 'h5.ts', 'ts', 'tsx', 'js', 'mjs', 'json', 'node'],
    globals: appGlobals,
  },
)

/** Starts what the files of a run share: prepared databases, a browser, and servers. */
const shared = {
  globalSetup: '<rootDir>/test/e2e/shared-setup.ts',
  globalTeardown: '<rootDir>/test/e2e/shared-teardown.ts',
}

/** The same, and the compiled mini-program. */
const sharedWithWeapp = { ...shared, globalSetup: '<rootDir>/test/weapp/shared-setup.ts' }

/** The databases that server tests get copies of, before the first test. */
const databases = {
  globalSetup: '<rootDir>/server/test/global-setup.ts',
  globalTeardown: '<rootDir>/server/test/global-teardown.ts',
}

module.exports = {
  testSequencer: '<rootDir>/test/sequencer.js',
  cacheDirectory: '<rootDir>/.cache/jest',
  // ms; a hanging test ends here, a busy machine does not fail one. Only files of minutes set more.
  testTimeout: 300_000,
  projects: [
    unit,
    app('h5'),
    app('weapp'),
    node('server', ['<rootDir>/server/!(engine|fixtures)/**/*.test.ts'], { ...databases, moduleNameMapper: engine }),
    node('e2e', ['<rootDir>/test/e2e/**/*.test.ts'], shared),
    node('weapp-run', ['<rootDir>/test/weapp/**/*.test.ts'], sharedWithWeapp),
    node('deep', ['<rootDir>/{src,server}/**/*.deep.test.ts'], {
      ...databases,
      testPathIgnorePatterns: ['/node_modules/', '/server/test/faults/'],
    }),
    node('deep-e2e', ['<rootDir>/test/**/*.deep.test.ts'], {
      ...shared,
      testPathIgnorePatterns: ['/node_modules/'],
    }),
    node('faults', ['<rootDir>/server/test/faults/**/*.deep.test.ts'], {
      ...databases,
      testPathIgnorePatterns: ['/node_modules/'],
    }),
  ].map((project) => ({ ...project, cacheDirectory: '<rootDir>/.cache/jest' })),
}
