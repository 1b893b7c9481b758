import type { Load } from '@/api/useLoad'
import { sampleGame as game } from '@/samples/game'
import type { Gallery } from '@/ui/gallery'
import { Banner } from './parts/Banner'
import { Accuracy, Links } from './parts/BelowFold'
import { ContinueDraft } from './parts/ContinueDraft'
import { Hero } from './parts/Hero'
import { HotGames } from './parts/HotGames'
import { LatestValuations } from './parts/LatestValuations'

const load = <T,>(over: Partial<Load<T>>): Load<T> => ({
  loading: false,
  reload: () => Promise.resolve(),
  ...over,
})

const names = ['王者荣耀', '崩坏：星穹铁道', '原神', '英雄联盟手游']
const measured = names.map((name, i) => ({ ...game(name, name), accuracy: 0.064 + i / 100, synthetic: true }))

const samples = [
  { gameId: 'hok', gameName: '王者荣耀', title: '王者荣耀 · 安卓微信 · V8', predictFen: 191_300, percentile: 0.86 },
  { gameId: 'ys', gameName: '原神', title: '原神 · 天空岛', predictFen: 347_300, percentile: 0.72 },
].map((card) => ({
  ...{ ...card, reportNo: card.gameId, nickMasked: '峡**客', reason: '', createdAt: 0, synthetic: true },
  ...{ lowFen: card.predictFen * 0.84, highFen: card.predictFen * 1.2 },
  soldFen: [0.9, 1.02, 1.1].map((by) => Math.round(card.predictFen * by)),
}))

const off = { pay: 'OFF', help: false, ad: false } as const
const draft = { gameId: 'hok', gameName: '王者荣耀', mode: 'AI', done: 8, total: 12 } as const

const gallery: Gallery = {
  title: '首页',
  states: [
    { name: '头部：还没有示例', render: () => <Hero samples={[]} hasOwn={false} /> },
    { name: '头部：示例', render: () => <Hero samples={samples} hasOwn={false} /> },
    { name: '未完成的估价', render: () => <ContinueDraft draft={draft} /> },
    {
      name: '游戏：加载中，人工即将开放',
      render: () => <HotGames load={load({ loading: true })} status={{ ...off, manual: false }} />,
    },
    {
      name: '游戏：内容与维护中，人工已开放',
      render: () => (
        <HotGames
          load={load({ data: [game('hok', '王者荣耀'), game('hsr', '崩坏：星穹铁道', { status: 'MAINTAIN' })] })}
          status={{ ...off, pay: 'NORMAL', manual: true, manualFromFen: 1990 }}
        />
      ),
    },
    { name: '游戏：空', render: () => <HotGames load={load({ data: [] })} status={undefined} /> },
    {
      name: '最新估价',
      render: () => (
        <LatestValuations
          load={load({ data: [{ gameName: '原神', nickMasked: '峡**客', priceFen: 240_000, minutesAgo: 5 }] })}
        />
      ),
    },
    {
      name: '公告',
      render: () => (
        <Banner
          status={undefined}
          all={[{ id: '1', title: '今晚 23:00 起维护一小时', image: '', link: '', linkType: 'NONE' }]}
        />
      ),
    },
    { name: '常用', render: () => <Links coupons /> },
    {
      name: '准确率',
      render: () => <Accuracy games={measured} />,
    },
  ],
}

export default gallery
