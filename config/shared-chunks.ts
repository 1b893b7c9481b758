/** Predicates for splitChunks: which shared modules move into a common chunk instead of being copied into each page. */

interface Chunk {
  groupsIterable: Iterable<{ origins: readonly { request: string }[] }>
}
export interface Module {
  nameForCondition?(): string | null
}
export interface CacheGroupContext {
  chunkGraph: { getModuleChunksIterable(module: Module): Iterable<Chunk> }
}

const appSource = /[\\/]src[\\/]/

/** Requests whose chunks make up the home page: the page itself and its content below the fold. */
const HOME_REQUESTS = ['./pages/home/index', './parts/BelowFold']

/** Most visitors land on home, so its chunks must not carry modules that only other pages need. */
function isUsedByHome(module: Module, { chunkGraph }: CacheGroupContext): boolean {
  for (const chunk of chunkGraph.getModuleChunksIterable(module))
    for (const { origins } of chunk.groupsIterable)
      if (origins.some(({ request }) => HOME_REQUESTS.includes(request))) return true
  return false
}

const taroSource = /[\\/](node_modules[\\/](@tarojs|tslib)|shims[\\/]taro)/
const isTaroModule = (module: Module) => taroSource.test(module.nameForCondition?.() ?? '')
const isAppModule = (module: Module) => appSource.test(module.nameForCondition?.() ?? '')

/** A module moves into a common chunk when this many pages import it; a lower number makes every page load what few need. */
export const SHARED_CHUNK_MIN_PAGES = 4

/** App modules that home imports. */
export const isHomeModule = (module: Module, graphs: CacheGroupContext) =>
  isAppModule(module) && isUsedByHome(module, graphs)
/** App modules that home does not import. */
export const isNonHomeModule = (module: Module, graphs: CacheGroupContext) =>
  isAppModule(module) && !isUsedByHome(module, graphs)
export const isHomeTaroModule = (module: Module, graphs: CacheGroupContext) =>
  isTaroModule(module) && isUsedByHome(module, graphs)
export const isNonHomeTaroModule = (module: Module, graphs: CacheGroupContext) =>
  isTaroModule(module) && !isUsedByHome(module, graphs)
