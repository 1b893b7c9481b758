import { View } from '@tarojs/components'
import type { Report } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { Button } from '@/ui/Button/Button'
import { Icon } from '@/ui/Icon/Icon'
import { Notice } from '@/ui/Notice/Notice'
import { ShareButton } from '@/ui/ShareButton/ShareButton'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import { type ShareState, useSharing } from '../useSharing'
import './ShareSheet.scss'

function VisibilityList({ title, lines, yes }: { title: string; lines: readonly string[]; yes?: boolean }) {
  return (
    <View className='rp-share__list'>
      <View className='rp-share__title'>{title}</View>
      {lines.map((line) => (
        <View key={line} className='rp-share__line'>
          <Icon name={yes ? 'eye' : 'eye-off'} size='s' className='rp-share__icon' />
          <View>{line}</View>
        </View>
      ))}
    </View>
  )
}

interface Props {
  report: Report
  open: boolean
  onClose: () => void
  /** the share was started or ended */
  onShared: (share: ShareState) => void
}

/** A preview of the shared report and its link. Sharing is off until the owner starts it, and is ended here. */
export function ShareSheet({ report, open, onClose, onShared }: Props) {
  const { busy, error, ended, begin, end } = useSharing(report.orderId, onShared)
  const { reportNo, shareToken, status, title } = report
  return (
    <Sheet open={open} onClose={onClose} title={copy.shareSheet}>
      <View className='rp-share'>
        <VisibilityList title={copy.shareShows} lines={status === 'LOCKED' ? copy.shareLocked : copy.shareOpen} yes />
        <VisibilityList title={copy.shareHides} lines={copy.shareHidden} />
        {ended && !shareToken ? <Notice tone='ok' text={copy.shareEnded} /> : null}
        {error ? <Notice tone='warn' text={error} /> : null}
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
