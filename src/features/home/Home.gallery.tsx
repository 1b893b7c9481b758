import type { Load } from '@/api/useLoad'
import { sampleGame as game } from '@/samples/game'
import type { Gallery } from '@/ui/gallery'
import { Banners } from './parts/Banners'
import { BlockError } from './parts/BlockError'
import { ContinueDraft } from './parts/ContinueDraft'
import { Entries } from './parts/Entries'
import { Hero } from './parts/Hero'
import { HotGames } from './parts/HotGames'
import { LatestValuations } from './parts/LatestValuations'
import { Market } from './parts/Market'
import { Links } from './parts/News'
import { SaleQuestion } from './parts/OwnReports'
import { Accuracy, Reasons, Statistics } from './parts/Trust'

const nothing = () => undefined
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

const sale = {
  ...{ orderId: 'o1', gameId: 'hok', gameName: '王者荣耀', title: '', predictFen: 96_000, reportedAt: 0 },
  ...{ open: true, correction: false, thanked: false },
}
const weeks = [100, 101, 99, 98, 102, 103, 104, 107, 105, 108].map((index, at) => ({
  at,
  index,
  low: index,
  high: index,
  n: 9,
}))
const market = {
  ...{ gameId: 'hok', gameName: '王者荣耀', weeks, rises: [], falls: [], sold30: 1234, syntheticShare: 0.42 },
}

const gallery: Gallery = {
  title: '首页',
  states: [
    { name: '头部：还没有示例', render: () => <Hero samples={[]} all /> },
    { name: '头部：示例', render: () => <Hero samples={samples} all /> },
    { name: '未完成的估价', render: () => <ContinueDraft draft={draft} /> },
    { name: '卖出了吗', render: () => <SaleQuestion sale={sale} /> },
    { name: '行情', render: () => <Market page={market} /> },
    { name: '入口：人工即将开放', render: () => <Entries status={{ ...off, manual: false }} /> },
    {
      name: '入口：人工已开放',
      render: () => <Entries status={{ ...off, pay: 'NORMAL', manual: true, manualFromFen: 1990 }} />,
    },
    { name: '热门：加载中', render: () => <HotGames load={load({ loading: true })} onChoose={nothing} /> },
    {
      name: '热门：内容与维护中',
      render: () => (
        <HotGames
          load={load({ data: [game('hok', '王者荣耀'), game('hsr', '崩坏：星穹铁道', { status: 'MAINTAIN' })] })}
          onChoose={nothing}
        />
      ),
    },
    { name: '热门：空', render: () => <HotGames load={load({ data: [] })} onChoose={nothing} /> },
    {
      name: '最新估价',
      render: () => (
        <LatestValuations
          load={load({ data: [{ gameName: '原神', nickMasked: '峡**客', priceFen: 240_000, minutesAgo: 5 }] })}
        />
      ),
    },
    {
      name: '轮播图与公告',
      render: () => (
        <Banners
          status={undefined}
          load={load({
            data: [
              { id: '1', title: '今晚 23:00 起维护一小时', image: '', link: '', linkType: 'NONE' },
              { id: '2', title: '谁要验证码，谁就是骗子', image: 'data:,', link: '', linkType: 'NONE' },
            ],
          })}
        />
      ),
    },
    { name: '一块失败', render: () => <BlockError reason='服务器无响应' onRetry={nothing} /> },
    { name: '常用', render: () => <Links coupons /> },
    { name: '理由', render: () => <Reasons /> },
    {
      name: '计数',
      render: () => (
        <Statistics
          load={load({ data: {} })}
          list={[
            { label: '累计报告', value: '3,456' },
            { label: '支持游戏', value: '8' },
          ]}
        />
      ),
    },
    {
      name: '准确率',
      render: () => <Accuracy games={measured} />,
    },
  ],
}

export default gallery
