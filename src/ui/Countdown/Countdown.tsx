import { Text } from '@tarojs/components'
import { useEffect, useRef } from 'react'
import { countdown } from '@/contract/timeText'
import { useNow } from '@/lib/useNow'

interface Props {
  /** ms by this device's clock */
  until: number
  /** called once at the end, also if the time had passed before the first render */
  onEnd?: () => void
}

/** Remaining time, updated every second: `14:32`. Re-renders only itself. */
export function Countdown({ until, onEnd }: Props) {
  const now = useNow(until)
  const over = now >= until
  const end = useRef(onEnd)
  end.current = onEnd
  useEffect(() => {
    if (over) end.current?.()
  }, [over])
  return <Text className='ui-figures'>{countdown(until - now)}</Text>
}
