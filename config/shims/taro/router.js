const bare = (path) => path.toLowerCase().replace(/\/$/, '')

/** The part of universal-router that Taro uses: our paths have no parameters, so they are compared as strings. */
export default class Router {
  constructor(routes, { baseUrl = '' } = {}) {
    this.baseUrl = baseUrl
    this.routes = routes.flatMap(({ path, action }) => [path].flat().map((one) => ({ path: bare(one), action })))
  }

  async resolve(pathname) {
    const path = bare(pathname.slice(this.baseUrl.length))
    const route = this.routes.find((one) => one.path === path)
    if (!route) throw Object.assign(new Error('Route not found'), { status: 404 })
    return route.action({ pathname, path, route, router: this, baseUrl: this.baseUrl }, {})
  }
}
