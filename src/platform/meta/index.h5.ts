import { setNavigationBarTitle } from '@tarojs/taro'
import type { Meta } from './port'

/** The server's picture beside a shared title. */
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

/** Who reads the preview stands outside: the origin has to be in it. */
const absolute = (url: string | undefined) => (url ? new URL(url, window.location.href).href : undefined)

export const meta: Meta = {
  address: (path) => new URL(path, window.location.href).href,
  set({ title, shareTitle = title, description, url }, share) {
    document.title = title
    // Taro keeps a title per page and puts it back on every show
    void setNavigationBarTitle({ title })
    if (description !== undefined) put('name', 'description', description)
    put('property', 'og:title', shareTitle)
    put('property', 'og:description', description)
    // never none: who reads it would take a picture of the page, prices included
    put('property', 'og:image', absolute(share.imageUrl ?? IMAGE))
    put('property', 'og:url', absolute(url))
    if (!/MicroMessenger/i.test(navigator.userAgent)) return
    const shared = {
      title: share.title,
      desc: description ?? title,
      link: new URL(share.path, window.location.href).href,
      imgUrl: new URL(share.imageUrl ?? IMAGE, window.location.href).href,
    }
    // without it WeChat shares the bare address: nothing to tell anybody
    void import('./wechat').then(
      ({ tellWechat }) => tellWechat(shared),
      () => undefined,
    )
  },
}
