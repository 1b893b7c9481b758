import { TOAST_DURATION } from '@/contract/constants'
import { type Action, type Confirm, type Dialog, inTurn } from './port'

const queue = inTurn()

function ask({ title, content, confirmText = '确定', cancelText = '取消' }: Confirm) {
  return new Promise<boolean>((resolve) => {
    wx.showModal({
      title,
      content,
      showCancel: cancelText !== null,
      confirmText,
      cancelText: cancelText ?? '取消',
      success: (r) => resolve(r.confirm),
      fail: () => resolve(false),
    })
  })
}

async function toastWithAction(text: string, action: Action) {
  const { label } = action
  if (await queue(() => ask({ title: '提示', content: text, confirmText: label, cancelText: '关闭' }))) action.run()
}

const waiting = new Set<object>()

export const dialog: Dialog = {
  toast(text, action) {
    // wx.showToast cannot be tapped
    if (action) void toastWithAction(text, action)
    else wx.showToast({ title: text, icon: 'none', duration: TOAST_DURATION })
  },
  confirm: (o) => queue(() => ask(o)),
  loading(text = '请稍候') {
    const mine = {}
    waiting.add(mine)
    wx.showLoading({ title: text, mask: true })
    return () => {
      if (waiting.delete(mine) && waiting.size === 0) wx.hideLoading()
    }
  },
  tapToRetry: (text) => ({
    answer: queue(() => ask({ title: '提示', content: text, confirmText: '重试', cancelText: '返回' })),
    // wx.showModal cannot be taken away
    close: () => undefined,
  }),
}
