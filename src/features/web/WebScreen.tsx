import { View, WebView } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { hostOf, isAllowed } from '@/contract/domains'
import { clipboard } from '@/platform/clipboard'
import { device } from '@/platform/device'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Empty } from '@/ui/Empty/Empty'
import { copy } from './copy'
import './web.scss'

/** ms after which a page that says nothing counts as failed */
const PATIENCE = 20_000

/** Not shown here: why, and the link to take along. */
function Closed({ url, text, note, retry }: { url: string; text: string; note: string; retry?: () => void }) {
  const take = { text: copy.copyLink, onClick: () => void clipboard.copy(url) }
  const close = { text: copy.close, onClick: () => void nav.back() }
  return (
    <>
      <Empty art='search' text={text} note={note} />
      <ActionBar primary={retry ? { text: copy.again, onClick: retry } : take} secondary={retry ? take : close} />
    </>
  )
}

function Frame({ url }: { url: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  useEffect(() => {
    if (state !== 'loading') return
    const timer = setTimeout(() => setState('failed'), PATIENCE)
    return () => clearTimeout(timer)
  }, [state])
  if (state === 'failed')
    return <Closed url={url} text={copy.failed} note={copy.failedNote} retry={() => setState('loading')} />
  return (
    <View className='web'>
      {state === 'loading' ? <View className='web__line' {...a11y('status', { label: copy.loading })} /> : null}
      <WebView src={url} onLoad={() => setState('shown')} onError={() => setState('failed')} />
    </View>
  )
}

/** Another page inside the app: only ours and those on the list; everything else is named and left to the browser. */
export function WebScreen({ params }: ScreenProps<'webview'>) {
  const { url = '' } = params
  const host = hostOf(url)
  if (host === undefined) return <Closed url={url} text={copy.bad} note={copy.badNote} />
  if (!isAllowed(url, device.ownHosts)) return <Closed url={url} text={copy.outside} note={copy.outsideNote(host)} />
  return <Frame key={url} url={url} />
}
