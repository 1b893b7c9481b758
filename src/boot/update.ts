import { dialog } from '@/platform/dialog'
import { updates } from '@/platform/update'

/** A newer version is put in place when the user says so; drafts are kept. */
export const followUpdates = () =>
  updates.follow(() =>
    dialog.confirm({
      title: '新版本已准备好',
      content: '重启后生效，已填写的内容会保留。',
      confirmText: '立即重启',
      cancelText: '稍后',
    }),
  )
