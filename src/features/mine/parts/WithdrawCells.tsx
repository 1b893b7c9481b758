import { api } from '@/api'
import { keysOf, sharedPriceText } from '@/contract/labels'
import { dialog } from '@/platform/dialog'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

const words = copy.setting.withdraw

async function withdraw(kind: keyof typeof sharedPriceText) {
  const { yes: confirmText, no: cancelText } = words
  const title = `${words.action}：${sharedPriceText[kind]}`
  if (!(await dialog.confirm({ title, content: words.confirm[kind], confirmText, cancelText }))) return
  // failures are shown by the api
  await api.user.updateSettings({ withdraw: kind })
  dialog.toast(words.done)
}

/** One row for each kind of price that a user may have let us use for the market. */
export const WithdrawCells = () => (
  <>
    {keysOf(sharedPriceText).map((kind) => (
      <Cell
        key={kind}
        title={sharedPriceText[kind]}
        value={words.action}
        onClick={() => void withdraw(kind).catch(() => undefined)}
      />
    ))}
  </>
)
