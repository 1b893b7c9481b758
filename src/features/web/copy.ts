export const copy = {
  outside: '即将离开',
  outsideNote: (host: string) =>
    `${host} 不是我们的网页，不在这里打开。请确认可信后，复制链接到浏览器打开。不要在陌生网页输入密码或验证码。`,
  bad: '链接无效',
  badNote: '这个链接打不开，请返回后重试。',
  failed: '网页打开失败',
  failedNote: '请检查网络，或复制链接到浏览器打开。',
  copyLink: '复制链接',
  close: '关闭',
  again: '点击重试',
  loading: '正在打开网页',
  foreign: (host: string) => `${host} 的网页，打不开可复制链接到浏览器`,
} as const
