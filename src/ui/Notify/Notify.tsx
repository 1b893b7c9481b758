import { useState } from 'react'
import { dialog } from '@/platform/dialog'
import { subscribe } from '@/platform/subscribe'
import { Card } from '../Card/Card'
import { Cell } from '../Cell/Cell'

const words = { report: '报告出来后通知我', sale: '以后在微信问我卖出没有' } as const

/** Requests permission for one message; the host requires the request to be made within a tap. */
export function Notify({ about }: { about: keyof typeof words }) {
  const [on, setOn] = useState(false)
  if (!subscribe.available()) return null
  const requestMessage = async () => {
    const allowed = await subscribe.request()
    setOn(allowed)
    if (!allowed) dialog.toast('未开启，可在微信设置里修改')
  }
  return (
    <Card flush>
      {on ? (
        <Cell icon='check-circle' title='已开启通知' />
      ) : (
        <Cell icon='bell' title={words[about]} onClick={() => void requestMessage()} />
      )}
    </Card>
  )
}
