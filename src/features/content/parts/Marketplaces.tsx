import { View } from '@tarojs/components'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { api } from '@/api'
import { useCall } from '@/api/useCall'
import type { Res } from '@/contract/types'
import { nav } from '@/router/nav'
import { loggedInAtom } from '@/session/store'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Chips } from '@/ui/Chip/Chips'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import './marketplaces.scss'

const words = copy.channels

/** Counts the click for the operator; failures must not keep the user from leaving. */
function openChannel({ channel, name, url }: Res<'user', 'channelLinks'>[number]) {
  api.app.countHit({ key: 'CHANNEL_OUT', bizId: channel }, { quiet: true }).catch(() => undefined)
  void nav.to('webview', { url, title: name })
}

/** External marketplaces for one game. */
export function ChannelList({ list }: { list: Res<'user', 'channelLinks'> }) {
  if (list.length === 0) return <View className='channels__note'>{words.none}</View>
  return (
    <>
      {list.map((link) => (
        <Cell key={link.channel} title={link.name} note={link.note} onClick={() => openChannel(link)} />
      ))}
    </>
  )
}

function ChannelsOfGame({ gameId, reportNo }: { gameId: string; reportNo: string | undefined }) {
  const load = useCall('user', 'channelLinks', { gameId, reportNo })
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows rows={2} />}>
      {(list) => <ChannelList list={list} />}
    </LoadBoundary>
  )
}

interface ChannelSource {
  /** context from which the page was opened */
  gameId: string | undefined
  reportNo: string | undefined
}

function ChannelsByGame({ gameId: given, reportNo }: ChannelSource) {
  const games = useCall('evaluation', 'gameList', {})
  const [chosen, choose] = useState(given)
  return (
    <LoadBoundary load={games} skeleton={<SkeletonRows rows={1} />}>
      {(all) => (
        <>
          <Chips
            className='channels__games'
            role='radio'
            label={words.title}
            options={all.map(({ gameId, name }) => ({ v: gameId, t: name }))}
            isOn={(platform) => platform === chosen}
            onPick={choose}
          />
          {chosen === undefined ? (
            <View className='channels__note'>{words.choose}</View>
          ) : (
            <ChannelsOfGame gameId={chosen} reportNo={chosen === given ? reportNo : undefined} />
          )}
        </>
      )}
    </LoadBoundary>
  )
}

/** Links to external marketplaces; the account is not sold here. */
export function Marketplaces(from: ChannelSource) {
  const loggedIn = useAtomValue(loggedInAtom)
  return (
    <Card title={words.title} flush>
      <View className='channels__note'>{words.notOurs}</View>
      {loggedIn ? (
        <ChannelsByGame {...from} />
      ) : (
        <Cell icon='lock' title={words.login} onClick={() => void nav.login()} />
      )}
    </Card>
  )
}
