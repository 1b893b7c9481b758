import { keysOf, taskFailText } from '@/contract/labels'
import type { AutoTask, PrefilledForm } from '@/contract/types'
import type { Gallery } from '@/ui/gallery'
import { CollectionConsent } from './CollectionConsent'
import { CollectionProgress } from './CollectionProgress'
import { CollectionResult } from './CollectionResult'

const nothing = () => undefined
const MINUTE = 60_000

const config: PrefilledForm = {
  gameId: 'ys',
  name: '原神',
  schemaVersion: 1,
  status: 'ONLINE',
  aiMode: 'QR_AUTH',
  modes: ['AI', 'MANUAL'],
  estSeconds: 60,
  readList: ['五星角色与命座', '五星武器', '冒险等级', '原石与纠缠之缘'],
  groups: [{ key: 'base', title: '基础信息' }],
  fields: [
    {
      key: 'server',
      label: '服务器',
      group: 'base',
      type: 'select',
      role: 'factor',
      required: true,
      rules: {},
      options: [
        { v: 'official', t: '官服' },
        { v: 'bili', t: 'B服' },
      ],
      sort: 10,
    },
  ],
  dicts: {},
}

const task = (status: AutoTask['status'], more: Partial<AutoTask> = {}): AutoTask => ({
  taskId: 't',
  gameId: 'ys',
  gameName: '原神',
  status,
  progress: 0,
  step: '扫码',
  steps: ['扫码', '确认', '读取', '估价'],
  retryable: true,
  pollAfterMs: 3000,
  expireAt: Date.now() + 10 * MINUTE,
  ...more,
})

/** a grey square in the place of a code */
const qrImage = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path fill='#ccc' d='M1 1h3v3H1zM5 1h3v3H5zM1 5h3v3H1zM6 6h2v2H6z'/></svg>",
)}`

const running = (status: AutoTask['status'], more: Partial<AutoTask>) => (
  <CollectionProgress task={task(status, more)} onActed={nothing} />
)
const ended = (status: AutoTask['status'], more: Partial<AutoTask> = {}) => (
  <CollectionResult task={task(status, { step: '', steps: [], ...more })} onActed={nothing} />
)

const gallery: Gallery = {
  title: '授权读取',
  states: [
    { name: '授权前', render: () => <CollectionConsent config={config} orderId={undefined} /> },
    {
      name: '授权前：次数用完',
      render: () => <CollectionConsent config={{ ...config, freeLeft: 0 }} orderId={undefined} />,
    },
    {
      name: '等待扫码',
      render: () =>
        running('WAIT_SCAN', { qrImage, qrExpireAt: Date.now() + 3 * MINUTE, webviewUrl: 'https://example.com/' }),
    },
    { name: '读取中', render: () => running('COLLECTING', { step: '读取', progress: 60 }) },
    { name: '估价中', render: () => running('VALUING', { step: '估价', progress: 90 }) },
    { name: '读取完成', render: () => ended('SUCCESS', { answers: { server: 'official' } }) },
    { name: '读取完成，报告已出', render: () => ended('SUCCESS', { orderId: 'o' }) },
    { name: '数据已删除', render: () => ended('SUCCESS', { forgotten: true }) },
    ...keysOf(taskFailText).map((failCode) => ({
      name: `读取失败：${failCode}`,
      render: () =>
        ended(failCode === 'SAMPLE_INSUFFICIENT' ? 'INSUFFICIENT' : 'FAILED', {
          failCode,
          failMsg: taskFailText[failCode],
        }),
    })),
    { name: '超时', render: () => ended('EXPIRED') },
    { name: '已取消', render: () => ended('CANCELED') },
  ],
}

export default gallery
