import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Compiler } from 'webpack'

/** Names beside index.html what the home page loads after the entry: the server's first answer brings it along. */
export class HomeFiles {
  apply(compiler: Compiler) {
    compiler.hooks.done.tap('HomeFiles', ({ compilation }) => {
      const home = compilation.chunkGroups.find(({ origins }) =>
        origins.some(({ request }) => /pages[\\/]home[\\/]index/.test(request ?? '')),
      )
      const files = (home?.getFiles() ?? []).filter((file) => /\.(js|css)$/.test(file)).map((file) => `/${file}`)
      if (compilation.outputOptions.path)
        writeFileSync(path.join(compilation.outputOptions.path, 'home.json'), JSON.stringify(files))
    })
  }
}
