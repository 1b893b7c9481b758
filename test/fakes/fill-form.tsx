import type { FormConfig } from '@/contract/form/types'
import type { PrefilledForm } from '@/contract/types'
import { FillScreen } from '@/features/evaluation/FillScreen'
import { storage } from '@/platform/storage'
import type { NetFailure } from '@/platform/transport/port'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, type Refused } from './api'
import { navigations } from './navigation'
import { shown, until, untilBox } from './screen'
import { openPage } from './taro'

const options = (...names: string[]) => names.map((t, i) => ({ v: `v${i}`, t }))

/** One field of every type. */
export const config: FormConfig = {
  gameId: 'g',
  name: '试玩',
  schemaVersion: 2,
  status: 'ONLINE',
  aiMode: 'MANUAL_FORM',
  modes: ['AI'],
  estSeconds: 20,
  readList: [],
  groups: [
    { key: 'a', title: '资产' },
    { key: 'b', title: '其他' },
  ],
  fields: [
    { ...field('server', '区服', 'select', 1), required: true, role: 'factor', options: options('安卓', '苹果') },
    { ...field('rank', '段位', 'select', 2), options: options('一', '二', '三', '四', '五', '六', '七') },
    { ...field('modes', '玩法', 'multi', 3), options: options('排位', '娱乐') },
    { ...field('skins', '皮肤数', 'int', 4), required: true, rules: { min: 0, max: 100 }, unit: '款' },
    { ...field('gold', '典藏', 'int', 5), rules: { min: 0, max: 100 } },
    { ...field('assets', '总资产', 'decimal', 6), rules: { min: 0, max: 999, scale: 1 } },
    { ...field('rare', '稀有皮肤', 'tags', 7), dict: 'd' },
    { ...field('guns', '典藏武器', 'tagsGrade', 8), dict: 'd', grades: ['S', 'A'] },
    { ...field('chars', '角色', 'roster', 9), dict: 'd', roster: { dup: [0, 6], sig: true, refine: [1, 5] } },
    { ...field('tier', '最高段位', 'cascader', 10), dict: 'tree' },
    { ...field('bound', '是否绑定', 'bool', 11), group: 'b' },
    { ...field('id', '营地ID', 'text', 12), group: 'b', rules: { pattern: '^\\d{6}$' } },
    { ...field('remark', '补充说明', 'textarea', 13), group: 'b', rules: { maxLen: 20 } },
    { ...field('shots', '账号截图', 'image', 14), group: 'b', role: 'evidence' },
    { ...field('why', '绑定了什么', 'text', 15), group: 'b', visibleWhen: { field: 'bound', in: ['true'] } },
    { ...field('credit', '信誉分', 'int', 16), group: 'b', role: 'risk' },
    { ...field('spent', '累计充值', 'int', 17), group: 'b', role: 'weak' },
  ],
  dicts: { d: options('甲', '乙', '丙'), tree: [{ v: 'x', t: '王者', children: options('一星', '二星') }] },
  crossChecks: [{ parts: ['gold'], whole: 'skins', msg: '典藏超过了皮肤数' }],
}

export function field<T extends FormConfig['fields'][number]['type']>(
  key: string,
  label: string,
  fieldType: T,
  sort: number,
) {
  return { key, label, group: 'a', type: fieldType, role: 'value' as const, required: false, rules: {}, sort }
}

export const logIn = (userId = 'u1') => dispatch({ type: 'loggedIn', token: `t-${userId}`, userId, newUser: false })

let opened: Awaited<ReturnType<typeof openPage>> | undefined

/** Opens the form, which is left after the test. */
export const show = async (mode = 'AI') => {
  const query = { gameId: 'g', mode }
  opened = await openPage(page('evaluationFillInInfo', FillScreen), '/pages/evaluation/fillInInfo/index', query)
  return opened
}

/** `refusal`: what submitting is answered with instead of an order; `beforeAnswer` holds the answer back. */
export async function openForm(
  form: PrefilledForm = config,
  refusal?: Refused | NetFailure,
  beforeAnswer: Promise<void> = Promise.resolve(),
) {
  const submitAi = async () => {
    await beforeAnswer
    if (refusal) throw refusal
    return { orderId: 'o1', status: 'PROCESSING' as const }
  }
  const server = fakeServer({ evaluation: { gameConfig: () => form, submitAi } })
  const p = await show()
  await untilBox('皮肤数')
  return { server, p }
}

/** The draft is written a moment after the last change. */
export const untilSaved = () => until(() => shown().includes('草稿已保存'), 'the draft')

/** A signed-in user without drafts before each test. */
export function setUpFillForm() {
  beforeEach(() => {
    localStorage.clear()
    navigations.length = 0
    startSession(storage)
    logIn()
  })
  afterEach(async () => {
    // leaving writes the draft: not into the next test
    await opened?.unload()
  })
}
