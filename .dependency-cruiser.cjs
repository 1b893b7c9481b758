/**
 * Who may import whom (ARCHITECTURE.md, the picture at the top). One list of layers, top to bottom: a layer may import the layers
 * below it and none above. Features never import each other.
 */
const layers = [
  'src/(app|boot|pages|pagesA|custom-tab-bar|ssr|sw)',
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

/** The server's layers, top to bottom; what they share (context, errors, log …) is in core. Nothing needs `research`. */
const serverLayers = [
  'research',
  'main|app|events',
  'desk|jobs|cli',
  'http|ssr',
  'calls',
  'domains',
  'engine|providers|rendering|db',
]
const inServer = (names) => `^server/(${names})(/|\\.)`
const serverUpward = serverLayers.slice(1).map((names, i) => ({
  name: `server-up-from-${names.split('|')[0]}`,
  comment: 'A lower layer may not know an upper one.',
  severity: 'error',
  from: { path: inServer(names), pathNot: '\\.test\\.ts$' },
  to: { path: serverLayers.slice(0, i + 1).map(inServer) },
}))

/** The server's domains, top to bottom. */
const domains = [
  'staff',
  'chat',
  'valuations',
  'market',
  'unlocks',
  'orders',
  'payments',
  'accounts',
  'reports',
  'content',
  'games',
  'models',
  'shared',
]
const domainUpward = domains.slice(1).map((domain, i) => ({
  name: `domain-up-from-${domain}`,
  comment: 'Domains import downwards in one order (ARCHITECTURE.md, "The server").',
  severity: 'error',
  from: { path: `^server/domains/${domain}/`, pathNot: '\\.test\\.ts$' },
  to: { path: domains.slice(0, i + 1).map((above) => `^server/domains/${above}/`) },
}))

module.exports = {
  forbidden: [
    ...upward,
    ...serverUpward,
    ...domainUpward,
    {
      name: 'no-cycle',
      severity: 'error',
      from: { pathNot: 'node_modules' },
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'features-never-sideways',
      comment: 'What two features share belongs into a lower layer.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'samples-only-in-galleries-and-tests',
      comment: 'Sample data must not reach a production bundle.',
      severity: 'error',
      from: { path: '^src', pathNot: '(\\.gallery\\.tsx|\\.test\\.tsx?)$|^src/samples/' },
      to: { path: '^src/samples' },
    },
    {
      name: 'samples-know-only-the-contract',
      severity: 'error',
      from: { path: '^src/samples' },
      to: { path: '^src', pathNot: '^src/(samples|contract|lib)' },
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
      to: { path: '^server/(db|domains|calls|providers|fixtures|http|main|app|jobs)' },
    },
    { name: 'unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(scss|css)$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: [`.${platform}.ts`, `.${platform}.tsx`, '.ts', '.tsx', '.js', '.json', '.mjs'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
