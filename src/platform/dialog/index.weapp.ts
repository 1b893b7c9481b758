import Taro from '@tarojs/taro'
import { TOAST_DURATION } from '@/contract/constants'
import { type Action, type Confirm, createQueue, type Dialog } from './port'

const queue = createQueue()

function showConfirm({ title, content, confirmText = '确定', cancelText = '取消' }: Confirm): Promise<boolean> {
  const showCancel = cancelText !== null
  return Taro.showModal({ title, content, showCancel, confirmText, cancelText: cancelText ?? '取消' }).then(
    ({ confirm }) => confirm,
    () => false,
  )
}

async function toastWithAction(text: string, action: Action) {
  const { label } = action
  if (await queue(() => showConfirm({ title: '提示', content: text, confirmText: label, cancelText: '关闭' })))
    action.run()
}

/** The host rejects messages while no page is visible; nobody would see them. */
const ignore = () => undefined
/** Returns a promise, contrary to Taro's declarations. */
const hide = () => Promise.resolve(Taro.hideLoading()).catch(ignore)

const waiting = new Set<object>()

export const dialog: Dialog = {
  toast(text, action) {
    // the host's toast cannot be tapped
    if (action) void toastWithAction(text, action)
    else Taro.showToast({ title: text, icon: 'none', duration: TOAST_DURATION }).catch(ignore)
  },
  confirm: (o) => queue(() => showConfirm(o)),
  loading(text = '请稍候') {
    const mine = {}
    waiting.add(mine)
    Taro.showLoading({ title: text, mask: true }).catch(ignore)
    return () => {
      if (waiting.delete(mine) && waiting.size === 0) void hide()
    }
  },
  tapToRetry: (text) => ({
    answer: queue(() => showConfirm({ title: '提示', content: text, confirmText: '重试', cancelText: '返回' })),
    // the host's dialog cannot be closed by the app
    close: () => undefined,
  }),
}
