import path from 'node:path'

const root = path.resolve(__dirname, '..')

/**
 * Makes `first.cjs` of src/first: the app's first screens as a program for Node, without styles and over plain HTML. Ports
 * are not found: what a server draws knows neither a browser nor a reader.
 * @returns the sources in it, relative to the project
 */
export function buildFirstView(out: string): string[] {
  // not before: tests read this configuration in jsdom, where esbuild cannot run
  const { buildSync } = require('esbuild') as typeof import('esbuild')
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['src/first/index.tsx'],
    outfile: path.join(out, 'first.cjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    charset: 'utf8',
    // some of its functions run in browsers (config/h5.ts)
    target: 'es2017',
    alias: { '@tarojs/components': path.join(root, 'src/first/components.tsx') },
    loader: { '.scss': 'empty', '.css': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs)
}
