import type { Report } from '@/contract/types'
import { ReportScreen } from '@/features/report/ReportScreen'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { fakeServer } from './api'
import { navigations } from './navigation'
import { openPage } from './taro'

/** Opens a report that the server answers with `report`; `help`: a way to unlock is open. */
export async function open(report: () => Report, help = false) {
  const server = fakeServer({
    evaluation: { reportGet: report },
    app: { openPayStatus: () => ({ pay: 'OFF', help, ad: false, manual: false }) },
  })
  const opened = await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  return { ...server, opened }
}

/** A signed-in user before each test. */
export function setUpReport() {
  beforeEach(() => {
    navigations.length = 0
    startSession(fakeStorage())
    dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  })
}
