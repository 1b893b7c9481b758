import { useDidHide, useDidShow } from '@tarojs/taro'
import { useRef } from 'react'
import { api } from '@/api'
import { type Load, useLoad } from '@/api/useLoad'
import type { Order } from '@/contract/types'

/** An order, asked for again whenever the page comes back: the person may have been in a cashier. */
export function useOrder(orderId: string): Load<Order> {
  const load = useLoad(`order:${orderId}`, (scope) => api.pay.getInfo({ orderId }, { quiet: true, scope }))
  const hidden = useRef(false)
  useDidHide(() => {
    hidden.current = true
  })
  useDidShow(() => {
    if (hidden.current) void load.reload()
    hidden.current = false
  })
  return load
}
