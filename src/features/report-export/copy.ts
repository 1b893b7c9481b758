import { dateTimeText } from '@/contract/timeText'

export const copy = {
  hideTitle: '隐藏这些内容',
  hide: { NICK: '昵称和账号ID', RANGE: '价格区间' },
  pictureAlt: '估价报告图片：价格、区间、明细和验真二维码',
  hold: '长按图片，可以保存或发给好友',
  toAlbum: '保存到相册',
  download: '保存图片',
  copyLink: '复制链接到浏览器',
  more: '下载文档',
  busy: (percent: number) => `下载中 ${percent}%`,
  saved: {
    album: '已保存到相册',
    PNG: '已开始下载；如没有反应，请长按图片保存',
    PDF: '已开始下载，请到浏览器的下载里查看',
  },
  shown: '已打开，点右上角 ··· 可以保存或发给好友',
  refused: '没有保存：还不允许访问相册。也可以长按图片保存',
  allow: '去允许',
  noConsent: '没有保存：您没有同意微信的隐私保护指引',
  consentAgain: '重新授权',
  failed: '保存失败，请重试',
  again: '重试',

  formats: '选择格式',
  format: { PNG: '图片 PNG', PDF: '文档 PDF' },
  formatNote: { PNG: '一张长图，适合发给买家或保存到相册', PDF: '完整报告，A4 排版，文字可以选择和搜索' },
  // without spaces to break at between a figure and its unit, where large text needs two lines
  size: (kb: number) => (kb >= 1024 ? `${(kb / 1024).toFixed(1)}\u00a0MB` : `${kb}\u00a0KB`),
  get: (format: 'PNG' | 'PDF', size: string | undefined) => `下载\u00a0${format}${size ? ` ·\u00a0${size}` : ''}`,
  about: '这份报告',
  reportNo: '报告编号',
  validUntil: '有效期至',
  expired: (at: number) => `${dateTimeText(at)}，已过期`,
  proof: '文件带有验真二维码和生成内容标识',
  locked: '完整报告尚未解锁，解锁后可以下载 PDF。图片现在就可以保存。',
  unlock: '去解锁',
  linkNote: (until: string) =>
    `微信里不能直接下载：请复制链接，到浏览器里打开。链接 ${until} 前有效，拿到链接的人都能打开。`,
  preparing: '正在生成文件',

  missing: '链接里缺少订单编号',
  notFound: '没有找到这份报告',
  notFoundNote: '报告可能已被撤回或删除，或不属于当前账号',
  records: '查看估价记录',
} as const
