import { useEffect, useState } from 'react'
import { network } from '@/platform/network'
import { Notice } from '@/ui/Notice/Notice'

/** Shown on every page while offline, because content may be cached. */
export function OfflineBar() {
  const [online, setOnline] = useState(network.online)
  useEffect(() => network.onChange(setOnline), [])
  return online ? null : <Notice icon='offline' tone='warn' text='网络已断开，内容可能不是最新' />
}
