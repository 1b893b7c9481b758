import { Text } from '@tarojs/components'
import { useEffect, useRef, useState } from 'react'
import { countdown } from '@/contract/moments'

interface Props {
  /** ms by this device's clock */
  until: number
  /** once, when it has run down; also when it had before it was drawn */
  onEnd?: () => void
}

/** Time left, counted down each second: `14:32`. Only itself is drawn anew. */
export function Countdown({ until, onEnd }: Props) {
  const [now, setNow] = useState(Date.now)
  const over = now >= until
  const end = useRef(onEnd)
  end.current = onEnd
  useEffect(() => {
    if (over) {
      end.current?.()
      return
    }
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [over])
  return <Text className='ui-figures'>{countdown(until - now)}</Text>
}
