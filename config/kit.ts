/** Which modules many pages share: they stand once in a chunk of their own instead of in every page's. */

interface Chunk {
  groupsIterable: Iterable<{ origins: readonly { request: string }[] }>
}
export interface Module {
  nameForCondition?(): string | null
}
export interface Graphs {
  chunkGraph: { getModuleChunksIterable(module: Module): Iterable<Chunk> }
}

const ours = /[\\/]src[\\/]/

/** The home page, and what it draws below its first screen. */
const HOME = ['./pages/home/index', './parts/More']

/** Home comes first for most visitors, so what only others need must not come with it. */
function isOfHome(module: Module, { chunkGraph }: Graphs): boolean {
  for (const chunk of chunkGraph.getModuleChunksIterable(module))
    for (const { origins } of chunk.groupsIterable)
      if (origins.some(({ request }) => HOME.includes(request))) return true
  return false
}

const taro = /[\\/](node_modules[\\/](@tarojs|tslib)|shims[\\/]taro)/
const isTaro = (module: Module) => taro.test(module.nameForCondition?.() ?? '')
const isOurs = (module: Module) => ours.test(module.nameForCondition?.() ?? '')

/** Pages that share what stands in the kit; fewer, and every page would load what few need. */
export const KIT_PAGES = 4

/** Our own modules of home that other pages use too. */
export const ofHome = (module: Module, graphs: Graphs) => isOurs(module) && isOfHome(module, graphs)
/** Our own modules that home does not need. */
export const ofOthers = (module: Module, graphs: Graphs) => isOurs(module) && !isOfHome(module, graphs)
export const taroOfHome = (module: Module, graphs: Graphs) => isTaro(module) && isOfHome(module, graphs)
export const taroOfOthers = (module: Module, graphs: Graphs) => isTaro(module) && !isOfHome(module, graphs)
