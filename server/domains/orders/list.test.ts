import { aiOrderStatusText, manualOrderStatusText } from '@/contract/orderStatus'
import { tabs } from './list'

test('every status of an order is listed under exactly one tab, ended ones with refunds under 退款/取消', () => {
  const listed: string[] = Object.values(tabs).flatMap((statuses) => [...statuses])
  const all = new Set([...Object.keys(aiOrderStatusText), ...Object.keys(manualOrderStatusText)])
  expect(listed.sort()).toEqual([...all].sort())
  expect(tabs.REFUND).toEqual(['REFUNDING', 'REFUNDED', 'CANCELED', 'CLOSED'])
})
