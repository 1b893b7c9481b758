import { setNavigationBarTitle } from '@tarojs/taro'
import type { Meta } from './port'

/** Default share image, from the server. */
const IMAGE = '/share.png'

function put(attribute: 'name' | 'property', key: string, content: string | undefined) {
  const found = document.head.querySelector(`meta[${attribute}="${key}"]`)
  if (content === undefined) {
    found?.remove()
    return
  }
  const el = found ?? document.head.appendChild(document.createElement('meta'))
  el.setAttribute(attribute, key)
  el.setAttribute('content', content)
}

/** Previews are read by external services, so URLs must be absolute. */
const absolute = (url: string | undefined) => (url ? new URL(url, window.location.href).href : undefined)

export const meta: Meta = {
  address: (path) => new URL(path, window.location.href).href,
  set({ title, shareTitle = title, description, url }, share) {
    document.title = title
    // Taro stores a title per page and restores it on every show
    void setNavigationBarTitle({ title })
    if (description !== undefined) put('name', 'description', description)
    put('property', 'og:title', shareTitle)
    put('property', 'og:description', description)
    // an image is always set: otherwise crawlers would pick one of the page, possibly with prices
    put('property', 'og:image', absolute(share.imageUrl ?? IMAGE))
    put('property', 'og:url', absolute(url))
    if (!/MicroMessenger/i.test(navigator.userAgent)) return
    const shared = {
      title: share.title,
      desc: description ?? title,
      link: new URL(share.path, window.location.href).href,
      imgUrl: new URL(share.imageUrl ?? IMAGE, window.location.href).href,
    }
    // without it WeChat shares the bare address, so no error is shown
    void import('./wechat').then(
      ({ setWechatShareData }) => setWechatShareData(shared),
      () => undefined,
    )
  },
}
