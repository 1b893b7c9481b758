import { picturesOf, searchHelp } from './model'

const groups = [
  {
    title: '退款',
    items: [
      { id: 'a', question: '多久到账', answer: '<p class="doc-p">1 到 3 个工作日</p>' },
      { id: 'b', question: '怎样取消', answer: '<p class="doc-p">在订单里</p>' },
    ],
  },
  { title: '账号', items: [{ id: 'c', question: '改密码', answer: '<p class="doc-p">设置里</p>' }] },
]
const found = (keyword: string) => searchHelp(groups, keyword).flatMap(({ items }) => items.map(({ id }) => id))

it('finds words in question, answer and group, all of them, and no tags', () => {
  expect(found('')).toEqual(['a', 'b', 'c'])
  expect(found('退款 到账')).toEqual(['a'])
  expect(found('里')).toEqual(['b', 'c'])
  expect(found('doc-p')).toEqual([])
})

it('finds the pictures of a text', () => {
  expect(picturesOf('<p>x<img class="doc-img" src="/a.webp?v=1&amp;w=2" width="1"></p><img src="/b.webp">')).toEqual([
    '/a.webp?v=1&w=2',
    '/b.webp',
  ])
})
