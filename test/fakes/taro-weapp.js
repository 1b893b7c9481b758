/**
 * Taro as tests of the mini-program see it: what the host does goes to the fake `wx` by Taro's own runtime of WeChat; pages,
 * hooks and moves are those of h5, because the runtime draws into jsdom.
 */
const taro = require('@tarojs/test-utils-react/dist/jest/runtime/taro-h5')
const { initNativeApi } = require('@tarojs/plugin-platform-weapp/dist/runtime-utils')

const host = { Link: taro.Link ?? taro.default.Link, options: {}, nextTick: taro.nextTick }
Object.assign(globalThis, { getCurrentPages: globalThis.getCurrentPages ?? (() => []), getApp: () => undefined })
initNativeApi(host)
const { getCurrentPages, getApp, options, nextTick, Link, ...ofHost } = host
module.exports = { ...taro, ...ofHost, default: { ...taro.default, ...ofHost }, __esModule: true }
