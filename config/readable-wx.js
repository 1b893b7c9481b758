/**
 * Taro reads every key of `wx` at launch. Opened from Moments, WeChat lets some of them throw (NervJS/taro#13621), which
 * would end the launch: those are left out, and keys that Taro reads once more are taken from the first reading.
 */
const changes = [
  [
    'Object.keys(global)',
    'Object.keys(global).filter(function (key) { try { return (global[key], true) } catch (e) { return false } })',
  ],
  ['global.env', 'taro.env'],
  ['taro.cloud = wx.cloud;', ''],
]

/** Loader of webpack for the files of Taro that contain these texts, each of which occurs in one of them. */
module.exports = function readableWx(source) {
  const text = changes.reduce((now, [from, to]) => now.replace(from, to), source)
  if (text === source) throw new Error(`${this.resourcePath} no longer reads wx as this loader expects`)
  return text
}
