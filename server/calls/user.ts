import { withdrawConsent } from '../domains/followups/withdraw-consent'
import { messages } from '../domains/notifications/list'
import { staffOfOrder } from '../domains/staff/staff'
import { checkLoginOff, loginOff } from '../domains/users/account-deletion'
import { feedbackList, submitFeedback } from '../domains/users/feedback'
import { channelLinks } from '../domains/users/marketplace-links'
import { passwordLogin, resetPassword, updatePassword } from '../domains/users/password'
import { realNameAuth } from '../domains/users/real-name'
import { updateSettings } from '../domains/users/settings'
import { sendSmsCode } from '../domains/users/sms'
import { smsLogin } from '../domains/users/sms-login'
import { userInfo } from '../domains/users/user-info'
import { miniAppLogin, queryBind, socialLogin } from '../domains/users/wechat'
import type { Handlers } from './handlers'

export const userHandlers: Handlers<'user'> = {
  login: passwordLogin,
  resetPassword,
  updatePassword,
  smsLogin,
  sendSmsCode,
  get: userInfo,
  queryWeixinMiniAppBind: queryBind,
  socialLogin,
  weixinMiniAppLogin: miniAppLogin,
  realNameAuth,
  messages,
  customerServiceByOrder: (ctx, { orderId }) => staffOfOrder(ctx, orderId),
  channelLinks,
  feedbackList,
  submitFeedback,
  loginOff,
  checkLoginOff,
  updateSettings: async (ctx, { withdraw, ...change }) => {
    if (withdraw) await withdrawConsent(ctx, withdraw)
    return updateSettings(ctx, change)
  },
}
