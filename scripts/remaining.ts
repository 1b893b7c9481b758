/** What is still to come: calls that answer NOT_OPEN_YET and pages that only say they are being prepared. */
import { routes } from '@/router/routes'
import { notOpenCalls } from '../server/rooms/remaining'

const pages = Object.values(routes).filter((r) => !r.ready)
const calls = notOpenCalls()
process.stderr.write(`▸ 待开放：${calls.length} / 70 个接口，${pages.length} / ${Object.keys(routes).length} 个页面\n`)
if (calls.length > 0) process.stderr.write(`  接口 ${calls.join(' ')}\n`)
if (pages.length > 0) process.stderr.write(`  页面 ${pages.map((p) => p.path).join(' ')}\n`)
