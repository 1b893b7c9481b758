// lodash.kebabcase as Taro uses it: camelCase attribute names to kebab-case
module.exports = (s) =>
  String(s)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase()
