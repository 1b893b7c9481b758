import { View } from '@tarojs/components'
import { useState } from 'react'
import { album } from '@/platform/album'
import type { FileKind } from '@/platform/album/port'
import { a11y } from '@/ui/a11y'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import type { SaveState } from '../useReportFile'

interface Props {
  saving: SaveState
  format: FileKind
  onAgain: () => void
}

/** No album permission: offers to grant it, or explains the alternative if it stays denied. */
function AlbumDenied({ onAgain }: Pick<Props, 'onAgain'>) {
  const [still, setStill] = useState(false)
  const requestPermission = async () => {
    if (await album.allow()) onAgain()
    else setStill(true)
  }
  return (
    <Notice
      tone='warn'
      text={still ? copy.stillRefused : copy.refused}
      action={{ text: copy.allow, onClick: () => void requestPermission() }}
    />
  )
}

/** Progress of saving, then where the file was saved. */
export function SaveStatus({ saving, format, onAgain }: Props) {
  if (saving.kind === 'BUSY') return <View {...a11y('status')}>{copy.busy(saving.percent)}</View>
  if (saving.kind === 'SAVED')
    return <Notice tone='ok' text={album.method() === 'album' ? copy.saved.album : copy.saved[format]} />
  if (saving.kind === 'SHOWN') return <Notice tone='ok' text={copy.shown} />
  if (saving.kind === 'REFUSED') return <AlbumDenied onAgain={onAgain} />
  if (saving.kind === 'NO_CONSENT')
    return <Notice tone='warn' text={copy.noConsent} action={{ text: copy.consentAgain, onClick: onAgain }} />
  if (saving.kind === 'FAILED')
    return <Notice tone='bad' text={saving.msg ?? copy.failed} action={{ text: copy.again, onClick: onAgain }} />
  return null
}
