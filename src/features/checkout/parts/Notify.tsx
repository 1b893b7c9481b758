import { useState } from 'react'
import { dialog } from '@/platform/dialog'
import { subscribe } from '@/platform/subscribe'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

/** One message when the report is there; the host wants to be asked inside a tap. */
export function Notify() {
  const [on, setOn] = useState(false)
  if (!subscribe.available()) return null
  const ask = async () => {
    const allowed = await subscribe.ask()
    setOn(allowed)
    if (!allowed) dialog.toast(copy.notifyNo)
  }
  return (
    <Card flush>
      {on ? (
        <Cell icon='check-circle' title={copy.notified} />
      ) : (
        <Cell icon='bell' title={copy.notify} onClick={() => void ask()} />
      )}
    </Card>
  )
}
