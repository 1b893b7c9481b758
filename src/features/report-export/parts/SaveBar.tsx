import { View } from '@tarojs/components'
import { files } from '@/api'
import { timeText } from '@/contract/timeText'
import type { Res } from '@/contract/types'
import { album } from '@/platform/album'
import type { FileKind } from '@/platform/album/port'
import { clipboard } from '@/platform/clipboard'
import { share } from '@/platform/share'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import type { SaveState } from '../useReportFile'

interface Props {
  /** undefined while it is rendered */
  file: Res<'evaluation', 'reportImage'> | undefined
  format: FileKind
  text: string
  saving: SaveState
  onSave: () => void
  secondary?: { text: string; onClick: () => void }
}

/** Progress of saving, then where the file was saved, or why it was not and what helps. */
function SaveStatus({ saving, format, onSave }: Pick<Props, 'saving' | 'format' | 'onSave'>) {
  const allow = async () => {
    if (await album.allow()) onSave()
  }
  if (saving.kind === 'BUSY') return <View {...a11y('status')}>{copy.busy(saving.percent)}</View>
  if (saving.kind === 'SAVED')
    return <Notice tone='ok' text={album.method() === 'album' ? copy.saved.album : copy.saved[format]} />
  if (saving.kind === 'SHOWN') return <Notice tone='ok' text={copy.shown} />
  if (saving.kind === 'REFUSED')
    return <Notice tone='warn' text={copy.refused} action={{ text: copy.allow, onClick: () => void allow() }} />
  if (saving.kind === 'NO_CONSENT')
    return <Notice tone='warn' text={copy.noConsent} action={{ text: copy.consentAgain, onClick: onSave }} />
  if (saving.kind === 'FAILED')
    return <Notice tone='bad' text={saving.msg ?? copy.failed} action={{ text: copy.again, onClick: onSave }} />
  return null
}

/** Saves the file. WeChat's browser blocks downloads: there its link is copied, to be opened in another one. */
export function SaveBar({ file, format, text, saving, onSave, secondary }: Props) {
  if (album.method() === 'none') {
    const url = file && share.link(files.address(file.url))
    const onClick = () => url && void clipboard.copy(url)
    return (
      <ActionBar
        note={file ? copy.linkNote(timeText(file.expireAt)) : copy.preparing}
        primary={{ text: copy.copyLink, icon: 'link', disabled: !url, onClick }}
        secondary={secondary}
      />
    )
  }
  const status = saving.kind === 'IDLE' ? undefined : <SaveStatus {...{ saving, format, onSave }} />
  return (
    <ActionBar
      note={file ? status : copy.preparing}
      primary={{ text, icon: 'download', loading: saving.kind === 'BUSY' || !file, onClick: onSave }}
      secondary={secondary}
    />
  )
}
