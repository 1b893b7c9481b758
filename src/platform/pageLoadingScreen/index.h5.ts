import './overlay.scss'
import type { PageLoadingScreen } from './port'

let el: HTMLButtonElement | undefined

function show(state: 'loading' | 'error', text: string, onTap: (() => void) | null) {
  if (!el) {
    el = document.createElement('button')
    el.type = 'button'
    el.className = 'pf-overlay'
    el.setAttribute('aria-live', 'polite')
    document.body.append(el)
  }
  el.dataset.state = state
  el.textContent = text
  el.onclick = onTap
}

/** Plain DOM, because the page has no React tree while its code is loading. */
export const pageLoadingScreen: PageLoadingScreen = {
  loading: () => show('loading', '加载中…', null),
  error: (again) => show('error', '页面加载失败，点击屏幕重试', again),
  hide() {
    el?.remove()
    el = undefined
  },
}
