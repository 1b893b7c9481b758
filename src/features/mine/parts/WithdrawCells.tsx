import { api } from '@/api'
import { sharedPriceText } from '@/contract/labels'
import type { UserInfo } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

const words = copy.setting.withdraw

async function withdraw(kind: keyof typeof sharedPriceText) {
  const title = `${words.action}：${sharedPriceText[kind]}`
  if (!(await dialog.confirm({ title, content: words.confirm[kind], confirmText: words.yes }))) return
  // failures are shown by the api
  await api.user.updateSettings({ withdraw: kind })
  dialog.toast(words.done)
}

/** One row for each kind of price that the user lets us use for the market. */
export const WithdrawCells = ({ shared }: { shared: UserInfo['sharedPrices'] }) => (
  <>
    {shared?.map((kind) => (
      <Cell
        key={kind}
        title={sharedPriceText[kind]}
        value={words.action}
        onClick={() => void withdraw(kind).catch(() => undefined)}
      />
    ))}
  </>
)
