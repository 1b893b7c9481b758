import { View, WebView } from '@tarojs/components'
import { useEffect, useRef, useState } from 'react'
import { isRunning, useCollectionTask } from '@/api/useCollectionTask'
import { usePayStatus } from '@/api/usePayStatus'
import { hostnameOf, isOnDomain } from '@/contract/domains'
import type { TaskStatus } from '@/contract/types'
import { BackHandler } from '@/platform/backHandler'
import { clipboard } from '@/platform/clipboard'
import { device } from '@/platform/device'
import { isReachable } from '@/platform/reachability'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Empty } from '@/ui/Empty/Empty'
import { copy } from './copy'
import './web.scss'

/** ms without a `load` event after which a page counts as failed */
const LOAD_TIMEOUT_MS = 20_000

interface ClosedProps {
  url: string
  text: string
  note: string
  retry?: () => void
}

/** The page cannot be shown here: the reason, and the link to copy. */
export function PageUnavailable({ url, text, note, retry }: ClosedProps) {
  const take = { text: copy.copyLink, onClick: () => void clipboard.copy(url) }
  const close = { text: copy.close, onClick: () => void nav.back() }
  return (
    <>
      <Empty art='search' text={text} note={note} />
      <ActionBar primary={retry ? { text: copy.again, onClick: retry } : take} secondary={retry ? take : close} />
    </>
  )
}

/** The loading line under the title bar. */
export const LoadingLine = () => <View className='web__line' {...a11y('status', { label: copy.loading })} />

/** Whether the page was loaded. The frame's `load` event is not enough: browsers also fire it for their error pages. */
function useLoading(url: string) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const loading = state === 'loading'
  useEffect(() => {
    if (!loading) return
    let over = false
    const fail = () => over || setState('failed')
    const timer = setTimeout(fail, LOAD_TIMEOUT_MS)
    void isReachable(url).then((answers) => answers || fail())
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [loading, url])
  return { state, setState }
}

/** Names the site, and offers a link for pages that refuse to be framed, which browsers do not report. */
export function ExternalFrame({ url, host }: { url: string; host: string }) {
  return (
    <View className='web__foot'>
      <View className='web__whose'>{copy.foreign(host)}</View>
      <Button kind='ghost' size='s' onClick={() => void clipboard.copy(url)}>
        {copy.copyLink}
      </Button>
    </View>
  )
}

function Frame({ url, foreign }: { url: string; foreign?: string }) {
  const { state, setState } = useLoading(url)
  if (state === 'failed')
    return <PageUnavailable url={url} text={copy.failed} note={copy.failedNote} retry={() => setState('loading')} />
  return (
    <View className='web'>
      {/* pages inside the frame put steps of their own on the way back; leaving takes them off */}
      <BackHandler open={device.supportsIframes} onBack={(byUser) => byUser && void nav.back()} />
      {state === 'loading' ? <LoadingLine /> : null}
      <View className='web__page'>
        <WebView src={url} onLoad={() => setState('shown')} onError={() => setState('failed')} />
      </View>
      {device.supportsIframes && foreign ? <ExternalFrame url={url} host={foreign} /> : null}
    </View>
  )
}

/** An external page: framed if its site is on the server's list, otherwise only named, with a link. */
function ExternalPage({ url, host }: { url: string; host: string }) {
  const { status, loaded } = usePayStatus(device.platform)
  if (!loaded) return <LoadingLine />
  if (!isOnDomain(url, status?.webDomains ?? []))
    return <PageUnavailable url={url} text={copy.outside} note={copy.outsideNote(host)} />
  return <Frame url={url} foreign={host} />
}

function Page({ url }: { url: string }) {
  const host = hostnameOf(url)
  if (host === undefined) return <PageUnavailable url={url} text={copy.bad} note={copy.badNote} />
  if (device.ownHosts.includes(host)) return <Frame url={url} />
  return <ExternalPage url={url} host={host} />
}

/** The collection waits for the user. */
const awaitingUser: readonly TaskStatus[] = ['CREATED', 'WAIT_SCAN', 'SCANNED']

/**
 * Closes the authorisation page once the collection proceeds and returns to it. A collection without a QR code already
 * runs while its page is open, so there only its end counts.
 */
function AuthorisationWatcher({ taskId }: { taskId: string }) {
  const { data: task } = useCollectionTask(taskId).load
  const wasPrompted = useRef(false)
  if (task && awaitingUser.includes(task.status)) wasPrompted.current = true
  const goesOn = task?.status === 'COLLECTING' && wasPrompted.current
  const over = task !== undefined && (goesOn || task.status === 'VALUING' || !isRunning(task))
  useEffect(() => {
    if (over) void nav.back('evaluationFillInInfoRpaWebview', { taskId })
  }, [over, taskId])
  return null
}

/** Only our own pages take their title from the link, which anybody can forge; others show their host name. */
export function webTitle({ url = '', title }: ScreenProps<'webview'>['params']): string | undefined {
  const host = hostnameOf(url)
  return host !== undefined && device.ownHosts.includes(host) ? title : host
}

/** Shows a web page inside the app: only ours and those on the server's list. */
export function WebScreen({ params }: ScreenProps<'webview'>) {
  const { url = '', taskId } = params
  return (
    <>
      {taskId ? <AuthorisationWatcher key={taskId} taskId={taskId} /> : null}
      <Page key={url} url={url} />
    </>
  )
}
