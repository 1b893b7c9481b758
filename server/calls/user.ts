import { checkLoginOff, loginOff } from '../domains/accounts/account-deletion'
import { feedbackList, submitFeedback } from '../domains/accounts/feedback'
import { passwordLogin, resetPassword, updatePassword } from '../domains/accounts/login/password'
import { sendSmsCode } from '../domains/accounts/login/sms'
import { smsLogin } from '../domains/accounts/login/sms-login'
import { miniAppLogin, queryBind, socialLogin } from '../domains/accounts/login/wechat'
import { channelLinks } from '../domains/accounts/marketplace-links'
import { messages } from '../domains/accounts/notifications/list'
import { realNameAuth } from '../domains/accounts/real-name'
import { updateSettings } from '../domains/accounts/settings'
import { userInfo } from '../domains/accounts/user-info'
import { withdrawConsent } from '../domains/market/follow-ups/withdraw-consent'
import { staffOfOrder } from '../domains/staff/staff'
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
