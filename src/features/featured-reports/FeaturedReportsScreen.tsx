import { Text, View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useCall } from '@/api/useCall'
import { usePages } from '@/api/usePages'
import { FEATURED_REPORT_TOKEN } from '@/contract/constants'
import { estimateRange } from '@/contract/format'
import { pastDayText } from '@/contract/timeText'
import type { ReportCard } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageSignal } from '@/router/pageContext'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Chips } from '@/ui/Chip/Chips'
import { Empty } from '@/ui/Empty/Empty'
import { GameTile } from '@/ui/GameTile/GameTile'
import { List } from '@/ui/List/List'
import { Notice } from '@/ui/Notice/Notice'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Price } from '@/ui/Price/Price'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from './copy'
import './featuredReports.scss'

/** Opens the public, read-only page that is embedded in a web view. */
const openReport = ({ reportNo }: ReportCard) =>
  void nav.to('reportWxIframe', { reportNo, shareToken: FEATURED_REPORT_TOKEN })

/** One report: the account, its price and why it is featured. */
export function FeaturedReportCard({ card }: { card: ReportCard }) {
  const { gameId, title, nickMasked, createdAt, predictFen, lowFen, highFen, reason } = card
  return (
    <Pressable onClick={() => openReport(card)}>
      <Card>
        <View className='ex-head'>
          <GameTile gameId={gameId} />
          <View className='ex-head__body'>
            <View className='ex-head__title'>{title}</View>
            <View className='ex-head__meta'>{copy.meta(nickMasked, pastDayText(createdAt, serverTime()))}</View>
          </View>
        </View>
        <View className='ex-price'>
          <Price fen={predictFen} size='l' />
          <View className='ex-price__range'>
            <Unbroken text={`${copy.range} ${estimateRange(lowFen, highFen)}`} />
          </View>
        </View>
        <View className='ex-why'>
          <Text className='ex-why__word'>{copy.why}</Text>
          {reason}
        </View>
      </Card>
    </Pressable>
  )
}

/** Filter by game; hidden while the games are not loaded, as the list works without it. */
function GameFilter({ chosen, onChoose }: { chosen: string | undefined; onChoose: (gameId?: string) => void }) {
  const { data = [] } = useCall('app', 'homeGameList', {})
  if (data.length === 0) return null
  const options = [{ v: undefined, t: copy.all }, ...data.map(({ gameId, name }) => ({ v: gameId, t: name }))]
  return <Chips page role='tab' label={copy.games} options={options} isOn={(key) => key === chosen} onPick={onChoose} />
}

/** Above the list: reports are shown with their owners' consent; marks prices from synthetic sales. */
export function ConsentNotice({ cards }: { cards: readonly ReportCard[] }) {
  return (
    <>
      <Notice
        icon='shield'
        text={copy.consent}
        action={{ text: copy.setting, onClick: () => void nav.to('mineSetting') }}
      />
      {cards.some(({ synthetic }) => synthetic) ? <Notice text={copy.synthetic} /> : null}
    </>
  )
}

export const NoReports = () => <Empty art='report' text={copy.empty} note={copy.emptyNote} />

/** Reports whose owners agreed to publish them, filtered by game. */
export function FeaturedReportsScreen({ params }: ScreenProps<'reportHighQuality'>) {
  const [gameId, setGameId] = useState(params.gameId)
  const { list } = usePages({
    key: `excellent:${gameId ?? ''}`,
    fetchPage: (pageNo, signal) =>
      api.app.excellentReportList({ ...(gameId && { gameId }), pageNo, pageSize: 10 }, { quiet: true, signal }),
    idOf: ({ reportNo }: ReportCard) => reportNo,
    signal: usePageSignal(),
  })
  return (
    <>
      <GameFilter chosen={gameId} onChoose={setGameId} />
      <ConsentNotice cards={list.load.data ?? []} />
      <List {...list} empty={<NoReports />}>
        {(card) => <FeaturedReportCard card={card} />}
      </List>
      <View className='ui-end' />
      <ActionBar primary={{ text: copy.mine, onClick: () => void nav.to('evaluationChooseGame') }} />
    </>
  )
}
