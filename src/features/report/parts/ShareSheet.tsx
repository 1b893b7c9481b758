import { View } from '@tarojs/components'
import { useAction } from '@/api/useAction'
import type { Report } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { buildUrl } from '@/router/params'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { ShareButton } from '@/ui/ShareButton/ShareButton'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import { requestShare, type ShareState } from '../useSharing'
import './ShareSheet.scss'

interface Props {
  report: Report
  open: boolean
  onClose: () => void
  /** the share was started or ended */
  onShared: (share: ShareState) => void
}

/** A preview of the shared report and its link. Sharing is off until the owner starts it, and is ended here. */
export function ShareSheet({ report, open, onClose, onShared }: Props) {
  const { busy, failure, run } = useAction()
  const { orderId, reportNo, shareToken, status, title } = report
  const begin = () =>
    void run(
      async () => onShared(await requestShare(orderId)),
      (e) => e.msg,
    )
  const end = () =>
    void run(
      async () => {
        const question = { title: copy.shareEnd, content: copy.shareEndText, confirmText: '撤回' }
        if (!(await dialog.confirm(question))) return
        onShared(await requestShare(orderId, true))
        dialog.toast(copy.shareEnded)
      },
      (e) => e.msg,
    )
  return (
    <Sheet open={open} onClose={onClose} title={copy.shareSheet}>
      <View className='rp-share'>
        <View className='rp-share__line'>{copy.shareShows[status === 'LOCKED' ? 'LOCKED' : 'OPEN']}</View>
        <View className='rp-share__line'>{copy.shareHides}</View>
        {failure ? <Notice tone='warn' text={failure} /> : null}
        {shareToken ? (
          <>
            <ShareButton
              kind='primary'
              icon='share'
              text={copy.shareSend}
              copyText={copy.shareCopy}
              title={copy.shareTitle}
              about={copy.shareAbout(title)}
              path={buildUrl('reportWxIframe', { reportNo, shareToken })}
            />
            <View className='rp-share__end'>
              <Button kind='ghost' block loading={busy} onClick={end}>
                {copy.shareEnd}
              </Button>
            </View>
          </>
        ) : (
          <Button block icon='link' loading={busy} onClick={begin}>
            {copy.shareBegin}
          </Button>
        )}
      </View>
    </Sheet>
  )
}
