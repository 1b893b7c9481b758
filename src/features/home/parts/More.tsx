import { View } from '@tarojs/components'
import { usePullDownRefresh } from '@tarojs/taro'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { GameItem } from '@/contract/types'
import { copy } from '../copy'
import { figures } from '../model'
import { Latest } from './Latest'
import { Block, Links, NewsLine, ReportLine } from './News'
import { Accuracy, Figures, HowItWorks, Reasons } from './Trust'

const FEW = 3

/** Each block asks, fails and is asked again by itself. */
function useBlocks() {
  const counts = useLoad('counts', (scope) => api.app.homeDataCount({}, { quiet: true, scope }))
  const latest = useLoad('latest', (scope) => api.app.lastFifteenOrder({}, { quiet: true, scope }))
  const news = useLoad('news', (scope) =>
    api.app.informationPage({ type: 'GUIDE', pageNo: 1, pageSize: FEW }, { quiet: true, scope }),
  )
  const excellent = useLoad('excellent', (scope) =>
    api.app.excellentReportList({ pageNo: 1, pageSize: FEW }, { quiet: true, scope }),
  )
  return { counts, latest, news, excellent }
}

/** What stands below the first screen: its code and its data come after that has been drawn. */
export function More({ games }: { games: readonly GameItem[] | undefined }) {
  const blocks = useBlocks()
  const { counts, latest, news, excellent } = blocks
  usePullDownRefresh(() => void Promise.all(Object.values(blocks).map((block) => block.reload())))
  return (
    <>
      <Links />
      <View>
        <Latest load={latest} />
      </View>
      <View>
        <Figures load={counts} list={figures(counts.data)} />
      </View>
      <View>
        <Block
          title={copy.excellent}
          more='reportHighQuality'
          load={excellent}
          row={(card) => <ReportLine key={card.reportNo} card={card} />}
        />
      </View>
      <View>
        <Accuracy games={games} />
      </View>
      <HowItWorks />
      <View>
        <Block title={copy.news} more='news' load={news} row={(one) => <NewsLine key={one.id} article={one} />} />
      </View>
      <Reasons />
      <View className='home__legal'>{copy.disclaimer}</View>
    </>
  )
}
