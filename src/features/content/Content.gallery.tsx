import type { Article, Document } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import type { Gallery } from '@/ui/gallery'
import { ArticleContent } from './ArticleScreen'
import { copy, related } from './copy'
import { HelpContent } from './HelpScreen'
import { NewsContent } from './NewsDetailScreen'
import { ChannelList } from './parts/Marketplaces'

const doc: Document = {
  title: '准确率公示',
  version: '1.0',
  updatedAt: Date.UTC(2026, 10, 21),
  html: `<blockquote class="doc-blockquote"><p class="doc-p">标为“合成数据”的结果<strong class="doc-strong">不代表真实行情</strong>。</p></blockquote>
<p class="doc-p">每个游戏按时间先后把记录分开。</p><ul class="doc-ul"><li class="doc-li">半数估价误差：一半成交的误差在这个范围内。</li></ul>
<h2 class="doc-h2">王者荣耀</h2><table class="doc-table"><thead class="doc-thead"><tr class="doc-tr"><th class="doc-th">指标</th><th class="doc-th">数值</th></tr></thead>
<tbody class="doc-tbody"><tr class="doc-tr"><td class="doc-td">检验的成交</td><td class="doc-td">412 笔</td></tr><tr class="doc-tr"><td class="doc-td">半数估价误差</td><td class="doc-td">8.3%</td></tr></tbody></table>`,
}

const card = {
  id: 'a',
  type: 'GUIDE',
  title: '卖号时最常见的五种骗局，以及每一种怎样识破',
  // a picture without an address has no element to wait for: Taro's lazy loading breaks on it
  cover: 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==',
  views: 128,
  publishAt: Date.UTC(2026, 10, 20),
} as const
const article: Article = {
  ...card,
  html: doc.html,
  related: [{ ...card, id: 'b', title: '买号之前要核对的十件事', views: 0 }],
}
const groups = [
  { title: '估价', items: [{ id: 'q', question: '估价要多久，收费吗', answer: '<p class="doc-p">约 1 分钟。</p>' }] },
]

const gallery: Gallery = {
  title: '文档',
  states: [
    { name: '准确率公示', render: () => <ArticleContent doc={doc} keys={related.ACCURACY} /> },
    { name: '文章', render: () => <NewsContent article={article} /> },
    { name: '帮助', render: () => <HelpContent groups={groups} /> },
    {
      name: '第三方平台',
      render: () => (
        <Card title={copy.channels.title} flush>
          <ChannelList
            list={[
              {
                channel: 'a',
                name: '交易猫',
                url: 'https://a.example/',
                note: '第三方平台，费用、审核和担保以平台规则为准',
              },
              {
                channel: 'b',
                name: '藏宝阁',
                url: 'https://b.example/',
                note: '网易自营的交易平台，寄售规则和费用以平台为准',
              },
            ]}
          />
        </Card>
      ),
    },
    { name: '第三方平台：空', render: () => <ChannelList list={[]} /> },
    { name: '帮助：空', render: () => <HelpContent groups={[]} /> },
  ],
}

export default gallery
