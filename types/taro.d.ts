/** No declarations come with it; only tests use it. */
declare module '@tarojs/plugin-framework-react/dist/runtime' {
  export function createReactApp(app: never, react: never, dom: never, config: never): unknown
}
