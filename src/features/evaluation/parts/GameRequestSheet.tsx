import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { dialog } from '@/platform/dialog'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextArea } from '@/ui/TextArea/TextArea'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { ChipSelect } from '../fill/fields/ChipSelect'
import './GameRequestSheet.scss'

const MAX_NAME_LENGTH = 30
const MAX_REMARK_LENGTH = 100
const platforms = copy.gameRequestPlatforms.map((t) => ({ v: t, t }))

/** Requests a missing game; input is kept when sending fails. `first`: the search term. */
export function GameRequestSheet({ first, onClose }: { first: string; onClose: () => void }) {
  const [name, setName] = useState(first.slice(0, MAX_NAME_LENGTH))
  const [platform, setPlatform] = useState<string>()
  const [remark, setRemark] = useState('')
  const { busy, failure, setFailure, run } = useAction()

  function send() {
    const gameName = name.trim()
    if ([...gameName].length < 2) return setFailure(copy.gameRequestShort)
    void run(async () => {
      const request = { gameName, ...(platform && { platform }), remark: remark.trim() }
      await api.evaluation.saveGameFeedback(request, { quiet: true })
      dialog.toast(copy.gameRequestSent)
      onClose()
    })
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title={copy.missing}
      failure={failure}
      action={{ text: copy.gameRequestSend, loading: busy, onClick: send }}
    >
      <View className='choose-request'>
        <TextInput
          label={copy.gameRequestName}
          value={name}
          onChange={setName}
          maxLength={MAX_NAME_LENGTH}
          placeholder={copy.gameRequestNameHint}
          required
        />
        <ChipSelect label={copy.gameRequestPlatform} options={platforms} value={platform} onChange={setPlatform} />
        <TextArea
          label={copy.gameRequestRemark}
          value={remark}
          onChange={setRemark}
          maxLength={MAX_REMARK_LENGTH}
          placeholder={copy.gameRequestRemarkHint}
        />
      </View>
    </Sheet>
  )
}
