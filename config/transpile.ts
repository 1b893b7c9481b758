const nodeModule = (name: string) => new RegExp(`[\\\\/]node_modules[\\\\/]${name}`)

/** ESM dependencies that ship newer syntax than our targets: Taro transpiles only what has "taro" in its path. */
export const transpile = [
  nodeModule('(jotai|js-md5|query-string|filter-obj|split-on-first|decode-uri-component)[\\\\/]'),
]
export { nodeModule }
