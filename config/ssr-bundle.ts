import path from 'node:path'

const root = path.resolve(__dirname, '..')

/**
 * Bundles src/ssr into `ssr.cjs`, which renders the app's first screens to plain HTML in Node, without styles.
 * Platform ports do not resolve in this bundle, so a first screen cannot depend on a browser or on the user.
 * @returns the sources in it, relative to the project
 */
export function buildSsrBundle(out: string): string[] {
  // imported lazily: tests load this configuration in jsdom, where esbuild cannot run
  const { buildSync } = require('esbuild') as typeof import('esbuild')
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['src/ssr/renderer.tsx'],
    outfile: path.join(out, 'ssr.cjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    charset: 'utf8',
    // the text of some of its functions is sent to browsers (src/ssr/scripts.tsx)
    target: 'es2017',
    alias: { '@tarojs/components': path.join(root, 'src/ssr/components.tsx') },
    loader: { '.scss': 'empty', '.css': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs)
}
