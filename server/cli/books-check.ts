/**
 * `npm run books:check`: compares orders, payments, ledger, entitlements and coupons in one snapshot, and the payments
 * since yesterday with their providers. The last line of standard output is `{"orders":n,"differences":[{kind, orderId, ref}]}`; exit code 1 on any difference. docs/ledger.md
 * describes the repair of each kind. Safe on a live database: it only reads.
 */
import { databaseNow } from '../db/now'
import { MAX_LISTED } from '../domains/payments/accounting/check'
import { checkBooks } from '../domains/payments/accounting/provider-figures'
import { createPayProviders } from '../providers/pay/providers'
import { parseSettings } from '../settings'
import { argumentsOf } from './command'
import { runTool } from './tool'

runTool(
  async (db) => {
    const pay = createPayProviders(parseSettings(process.env))
    const { orders, differences, counts, unanswered } = await checkBooks(db, pay, await databaseNow(db))
    for (const [kind, n] of Object.entries(counts))
      console.error(`✗ ${kind}：${n} 处${n > MAX_LISTED ? `（只列出前 ${MAX_LISTED} 处）` : ''}`)
    if (unanswered > 0) console.error(`⚠ ${unanswered} 笔支付没有得到支付平台的回答，未与其核对`)
    console.error(
      differences.length > 0 ? '处理办法见 docs/ledger.md，按上面的名称查找。' : `✓ ${orders} 个订单，账目一致`,
    )
    console.log(JSON.stringify({ orders, differences }))
    if (differences.length > 0) process.exitCode = 1
  },
  () => argumentsOf('用法：npm run books:check', {}),
)
