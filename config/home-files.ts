import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Compilation, Compiler } from 'webpack'

const HOME = [/pages[\\/]home[\\/]index/]
/** What else can be read without a network. */
const OWN = [/parts[\\/]More/, /pages[\\/]mine[\\/]index/, /evaluation[\\/]records/, /evaluation[\\/]report[\\/]index/]

const addresses = (files: readonly string[]) =>
  files.filter((file) => /\.(js|css)$/.test(file)).map((file) => `/${file}`)

/** Addresses of the scripts and styles of what is loaded under one of these names. */
function filesOf({ chunkGroups }: Compilation, names: readonly RegExp[]): string[] {
  const groups = chunkGroups.filter(({ origins }) =>
    origins.some(({ request }) => names.some((name) => name.test(request ?? ''))),
  )
  return [...new Set(groups.flatMap((group) => addresses(group.getFiles())))]
}

/**
 * Names beside index.html what the home page loads after the entry (home.json: the server's first answer brings it
 * along), and what the service worker keeps (offline.json).
 */
export class HomeFiles {
  apply(compiler: Compiler) {
    compiler.hooks.done.tap('HomeFiles', ({ compilation }) => {
      const { path: out } = compilation.outputOptions
      if (!out) return
      const write = (name: string, files: string[]) => writeFileSync(path.join(out, name), JSON.stringify(files))
      const home = filesOf(compilation, HOME)
      write('home.json', home)
      const entry = [...compilation.entrypoints.values()].flatMap((one) => addresses(one.getFiles()))
      write('offline.json', [...new Set([...entry, ...home, ...filesOf(compilation, OWN)])])
    })
  }
}
