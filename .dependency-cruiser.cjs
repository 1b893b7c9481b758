/**
 * Who may import whom (ARCHITECTURE.md, "Direction"). One list of layers, top to bottom: a layer may import what
 * stands below it and nothing above. Features never import each other.
 */
const layers = [
  'src/(app|boot|first|pages|pagesA|custom-tab-bar)',
  'src/features',
  'src/(ui|session|router|api)',
  'src/(platform|contract)',
  'src/lib',
]

/** Ports have one file a platform; scripts/check.mjs cruises once with each. */
const platform = process.env.CRUISE_PLATFORM ?? 'h5'

const upward = layers.slice(1).map((from, i) => ({
  name: `up-from-${from.replace(/^src\//, '')}`,
  comment: 'A lower layer may not know an upper one.',
  severity: 'error',
  from: { path: `^${from}(/|\\.|$)`, pathNot: '\\.gallery\\.tsx$' },
  to: { path: layers.slice(0, i + 1).map((l) => `^${l}(/|\\.|$)`) },
}))

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'no-cycle',
      severity: 'error',
      from: { pathNot: 'node_modules' },
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'features-never-sideways',
      comment: 'One product is one room; what two rooms share belongs below them.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'api-knows-no-session',
      comment: 'Credentials reach the api by injection.',
      severity: 'error',
      from: { path: '^src/api' },
      to: { path: '^src/(session|router|ui)' },
    },
    {
      name: 'session-and-ui-stay-apart',
      severity: 'error',
      from: { path: '^src/session' },
      to: { path: '^src/(api|router|ui)' },
    },
    {
      name: 'contract-imports-nothing',
      severity: 'error',
      from: { path: '^src/contract' },
      to: { pathNot: '^(src/contract|node_modules/(typebox|js-md5|fast-check)/)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'app-takes-schemas-as-types-only',
      comment: 'Importing typebox at run time costs the mini-program 49 kB.',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/contract/(schemas/|.*\\.test\\.ts$)' },
      to: { path: '^(src/contract/schemas|node_modules/typebox)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nutui-only-in-ui',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/ui' },
      to: { path: 'node_modules/@nutui' },
    },
    {
      name: 'server-reads-only-the-contract-of-the-app',
      severity: 'error',
      from: { path: '^server' },
      to: { path: '^src', pathNot: '^src/contract' },
    },
    { name: 'app-never-imports-server', severity: 'error', from: { path: '^src' }, to: { path: '^server' } },
    {
      name: 'engine-is-pure',
      comment: 'The engine knows neither the database nor a game.',
      severity: 'error',
      from: { path: '^server/engine', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(db|domains|calls|providers|fixtures|http|main|jobs)' },
    },
    { name: 'unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(scss|css)$' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: [`.${platform}.ts`, `.${platform}.tsx`, '.ts', '.tsx', '.js', '.json', '.mjs'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
