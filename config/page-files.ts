import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Compilation, Compiler } from 'webpack'
import { assetBase } from './assets'
import { buildSsrBundle } from './ssr-bundle'

/** Pages whose first screen the server renders. */
const FIRST = {
  home: [/pages[\\/]home[\\/]index/],
  report: [/evaluation[\\/]report[\\/]wxIframe/],
}
/** Further chunks that the service worker caches for reading offline. */
const OFFLINE_PAGES = [
  /^\.\/networkApi$/,
  /parts[\\/]BelowFold$/,
  /pages[\\/]mine[\\/]index/,
  /evaluation[\\/]records/,
  /evaluation[\\/]report[\\/]index/,
]

const assetUrls = (files: readonly string[]) =>
  files.filter((file) => /\.(js|css)$/.test(file)).map((file) => assetBase + file)

/** URLs of the scripts and styles of the chunk groups requested under one of these names. */
function filesOf({ chunkGroups }: Compilation, names: readonly RegExp[]): string[] {
  const groups = chunkGroups.filter(({ origins }) =>
    origins.some(({ request }) => names.some((name) => name.test(request ?? ''))),
  )
  return [...new Set(groups.flatMap((group) => assetUrls(group.getFiles())))]
}

/**
 * Writes next to index.html: ssr.json, the files each server-rendered page loads after the entry; offline.json, the
 * files the service worker caches; and ssr.cjs, the bundle that renders first screens on the server.
 */
export class PageFiles {
  apply(compiler: Compiler) {
    compiler.hooks.done.tap('PageFiles', ({ compilation }) => {
      const { path: out } = compilation.outputOptions
      if (!out) return
      const write = (name: string, files: unknown) => writeFileSync(path.join(out, name), JSON.stringify(files))
      const first = Object.entries(FIRST).map(([name, names]) => [name, filesOf(compilation, names)] as const)
      write('ssr.json', Object.fromEntries(first))
      buildSsrBundle(out)
      const entry = [...compilation.entrypoints.values()].flatMap((one) => assetUrls(one.getFiles()))
      write('offline.json', [...new Set([...entry, ...filesOf(compilation, [...FIRST.home, ...OFFLINE_PAGES])])])
    })
  }
}
