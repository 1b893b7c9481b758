/**
 * `npm run books:check`: compares orders, payments, ledger, entitlements and coupons in one snapshot. The last line of
 * standard output is `{"orders":n,"differences":[{kind, orderId, ref}]}`; exit code 1 on any difference. docs/ledger.md
 * describes the repair of each kind. Safe on a live database: it only reads, apart from storing its result for the
 * desk.
 */
import { databaseNow } from '../db/now'
import { checkLedger, MAX_LISTED } from '../domains/accounting/check'
import { storeCheckResult } from '../domains/accounting/jobs'
import { argumentsOf } from './command'
import { runTool } from './tool'

runTool(
  async (db) => {
    const startedAt = await databaseNow(db)
    const result = await checkLedger(db)
    await storeCheckResult(db, result, { startedAt, endedAt: await databaseNow(db) })
    const { orders, differences, counts } = result
    for (const [kind, n] of Object.entries(counts))
      console.error(`✗ ${kind}：${n} 处${n > MAX_LISTED ? `（只列出前 ${MAX_LISTED} 处）` : ''}`)
    console.error(
      differences.length > 0 ? '处理办法见 docs/ledger.md，按上面的名称查找。' : `✓ ${orders} 个订单，账目一致`,
    )
    console.log(JSON.stringify({ orders, differences }))
    if (differences.length > 0) process.exitCode = 1
  },
  () => argumentsOf('用法：npm run books:check', {}),
)
