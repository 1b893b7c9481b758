import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { Card } from '@/ui/Card/Card'
import { Illustration } from '@/ui/Empty/Art'
import { Icon } from '@/ui/Icon/Icon'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import { recentGames } from '../games'
import '../../../ui/Empty/Empty.scss'
import './DataUse.scss'

function DataUseColumn({ title, items, yes }: { title: string; items: readonly string[]; yes: boolean }) {
  return (
    <View className='ev-reads__col'>
      <View className='ev-reads__title'>{title}</View>
      {items.map((item) => (
        <View key={item} className='ev-reads__item'>
          <Icon name={yes ? 'check' : 'close'} size='s' className={yes ? 'ev-reads__yes' : 'ev-reads__no'} />
          <View className='ev-reads__text'>{item}</View>
        </View>
      ))}
    </View>
  )
}

/** Data use and supported servers of the most recent game. */
function useLastGame() {
  const [gameId] = useState(() => recentGames()[0])
  const { data } = useLoad(`about:${gameId}`, async (signal) => {
    if (!gameId) return undefined
    const how = { quiet: true, signal }
    const [detail, servers] = await Promise.all([
      api.evaluation.gameDetail({ gameId }, how),
      api.evaluation.gameServer({ gameId }, how),
    ])
    return { name: detail.name, reads: detail.readList, servers: servers.map(({ t }) => t) }
  })
  return data
}

/** Which data a valuation uses, which it never does, and a scam warning. */
export function DataUse() {
  const game = useLastGame()
  const reads = game && game.reads.length > 0 ? game.reads : copy.readYes
  return (
    <>
      <Card title={copy.reads} extra={game?.name}>
        <View className='ev-reads__art'>
          <Illustration name='shield' />
        </View>
        <View className='ev-reads'>
          <DataUseColumn title={copy.readYesTitle} items={reads} yes />
          <DataUseColumn title={copy.readNoTitle} items={copy.readNo} yes={false} />
        </View>
        {game && game.servers.length > 0 ? (
          <View className='ev-reads__servers'>{copy.readServers(game.servers)}</View>
        ) : null}
      </Card>
      <Notice tone='warn' icon='shield' text={copy.scam} />
    </>
  )
}
