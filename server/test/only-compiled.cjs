/** Loaded before a program by NODE_OPTIONS: it, its threads and its children end when they ask for a compiler. */
const Module = require('node:module')

const resolve = Module._resolveFilename
Module._resolveFilename = (request, ...rest) => {
  if (/^(tsx|esbuild|typescript)(\/|$)/.test(request)) throw new Error(`a compiled program asked for ${request}`)
  return resolve(request, ...rest)
}
Module._extensions['.ts'] = (_module, file) => {
  throw new Error(`a compiled program loaded ${file}`)
}
