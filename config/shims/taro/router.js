const bare = (path) => path.toLowerCase().replace(/\/$/, '')

/** What Taro asks of universal-router: our routes have no parameters in their paths, so equal is equal. */
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
