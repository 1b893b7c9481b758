import { View } from '@tarojs/components'
import { useState } from 'react'
import { album } from '@/platform/album'
import type { FileKind } from '@/platform/album/port'
import { a11y } from '@/ui/a11y'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import type { Saving } from '../useFile'

interface Props {
  saving: Saving
  format: FileKind
  onAgain: () => void
}

/** The album was refused: the way to allow it, and what is left when it stays so. */
function Refused({ onAgain }: Pick<Props, 'onAgain'>) {
  const [still, setStill] = useState(false)
  const ask = async () => {
    if (await album.allow()) onAgain()
    else setStill(true)
  }
  return (
    <Notice
      tone='warn'
      text={still ? copy.stillRefused : copy.refused}
      action={{ text: copy.allow, onClick: () => void ask() }}
    />
  )
}

/** How far the file is, and where it is now. */
export function Outcome({ saving, format, onAgain }: Props) {
  if (saving.kind === 'BUSY') return <View {...a11y('status')}>{copy.busy(saving.percent)}</View>
  if (saving.kind === 'SAVED')
    return <Notice tone='ok' text={album.way() === 'album' ? copy.saved.album : copy.saved[format]} />
  if (saving.kind === 'SHOWN') return <Notice tone='ok' text={copy.shown} />
  if (saving.kind === 'REFUSED') return <Refused onAgain={onAgain} />
  if (saving.kind === 'FAILED')
    return <Notice tone='bad' text={saving.msg ?? copy.failed} action={{ text: copy.again, onClick: onAgain }} />
  return null
}
