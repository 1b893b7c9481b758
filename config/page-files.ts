import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Compilation, Compiler } from 'webpack'
import { assetBase } from './assets'
import { buildFirstView } from './first-view'

/** Pages the server draws first (server/first). */
const FIRST = {
  home: [/pages[\\/]home[\\/]index/],
  report: [/evaluation[\\/]report[\\/]wxIframe/],
}
/** What else can be read without a network. */
const OWN = [
  /^\.\/connection$/,
  /parts[\\/]More/,
  /pages[\\/]mine[\\/]index/,
  /evaluation[\\/]records/,
  /evaluation[\\/]report[\\/]index/,
]

const addresses = (files: readonly string[]) =>
  files.filter((file) => /\.(js|css)$/.test(file)).map((file) => assetBase + file)

/** Addresses of the scripts and styles of what is loaded under one of these names. */
function filesOf({ chunkGroups }: Compilation, names: readonly RegExp[]): string[] {
  const groups = chunkGroups.filter(({ origins }) =>
    origins.some(({ request }) => names.some((name) => name.test(request ?? ''))),
  )
  return [...new Set(groups.flatMap((group) => addresses(group.getFiles())))]
}

/**
 * Names beside index.html what pages load after the entry (first.json: the server's first answer brings it along), and
 * what the service worker keeps (offline.json); lays beside them what draws the server's first answer (first.cjs).
 */
export class PageFiles {
  apply(compiler: Compiler) {
    compiler.hooks.done.tap('PageFiles', ({ compilation }) => {
      const { path: out } = compilation.outputOptions
      if (!out) return
      const write = (name: string, files: unknown) => writeFileSync(path.join(out, name), JSON.stringify(files))
      const first = Object.entries(FIRST).map(([name, names]) => [name, filesOf(compilation, names)] as const)
      write('first.json', Object.fromEntries(first))
      buildFirstView(out)
      const entry = [...compilation.entrypoints.values()].flatMap((one) => addresses(one.getFiles()))
      write('offline.json', [...new Set([...entry, ...filesOf(compilation, [...FIRST.home, ...OWN])])])
    })
  }
}
