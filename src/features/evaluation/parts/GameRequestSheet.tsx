import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextArea } from '@/ui/TextArea/TextArea'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { ChipSelect } from '../fill/fields/ChipSelect'
import './GameRequestSheet.scss'

const MAX_NAME_LENGTH = 30
const MAX_REMARK_LENGTH = 100

/** State of the request form; input is kept when sending fails. */
function useGameRequest(first: string) {
  const [name, setName] = useState(first)
  const [platform, setPlatform] = useState<string>()
  const [remark, setRemark] = useState('')
  const [sent, setSent] = useState(false)
  const { busy, failure, setFailure, run } = useAction()
  const named = Array.from(name.trim()).length >= 2

  function send() {
    if (!named) return setFailure(copy.gameRequestShort)
    const request = { gameName: name.trim(), ...(platform && { platform }), remark: remark.trim() }
    void run(async () => {
      await api.evaluation.saveGameFeedback(request, { quiet: true })
      setSent(true)
    })
  }
  return { name, setName, platform, setPlatform, remark, setRemark, sent, busy, failure, send }
}

type GameRequest = ReturnType<typeof useGameRequest>

function GameRequestForm({ request }: { request: GameRequest }) {
  return (
    <View className='choose-request'>
      <TextInput
        label={copy.gameRequestName}
        value={request.name}
        onChange={request.setName}
        maxLength={MAX_NAME_LENGTH}
        placeholder={copy.gameRequestNameHint}
        required
      />
      <ChipSelect
        label={copy.gameRequestPlatform}
        options={copy.gameRequestPlatforms.map((platform) => ({ v: platform, t: platform }))}
        value={request.platform}
        onChange={request.setPlatform}
      />
      <TextArea
        label={copy.gameRequestRemark}
        value={request.remark}
        onChange={request.setRemark}
        maxLength={MAX_REMARK_LENGTH}
        placeholder={copy.gameRequestRemarkHint}
      />
    </View>
  )
}

/** Requests a missing game. `name`: the search term. */
export function GameRequestSheet({ name, onClose }: { name: string; onClose: (sent: boolean) => void }) {
  const request = useGameRequest(name.slice(0, MAX_NAME_LENGTH))
  const { sent } = request
  return (
    <Sheet
      open
      onClose={() => onClose(sent)}
      title={sent ? copy.gameRequestThanks : copy.gameRequestTitle}
      foot={
        <>
          {request.failure ? <Notice tone='bad' text={request.failure} /> : null}
          <Button block loading={request.busy} onClick={sent ? () => onClose(true) : request.send}>
            {sent ? copy.gameRequestClose : copy.gameRequestSend}
          </Button>
        </>
      }
    >
      {sent ? (
        <View className='choose-request choose-request--sent'>{copy.requestSent(request.name.trim())}</View>
      ) : (
        <GameRequestForm request={request} />
      )}
    </Sheet>
  )
}
