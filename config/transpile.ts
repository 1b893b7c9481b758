const nodeModule = (name: string) => new RegExp(`[\\\\/]node_modules[\\\\/]${name}`)

/** ESM dependencies with newer syntax than our targets: Taro transpiles only packages with "taro" in their path. */
export const transpiledPackages = [
  nodeModule('(jotai|js-md5|query-string|filter-obj|split-on-first|decode-uri-component)[\\\\/]'),
]
export { nodeModule }
