import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { api, embeddedResponse } from '@/api'
import { useLoad } from '@/api/useLoad'
import { couponTerm } from '@/contract/couponText'
import { dateText } from '@/contract/format'
import type { CentreCoupon } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { appState, dispatch } from '@/session/store'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'

/** A receivable coupon, shown at most once a day (spec §3: moduleShownDay); loaded only if `wanted`. */
export function useDailyCoupon(wanted: boolean): { coupon: CentreCoupon | undefined; loading: boolean } {
  const [today] = useState(() => dateText(Date.now()))
  const [due] = useState(() => appState().moduleShownDay !== today)
  const requested = wanted && due
  const { data, loading } = useLoad(
    `daily:${requested}`,
    async (signal) => (requested ? api.coupon.canReceive({}, { quiet: true, signal }) : []),
    () => (requested ? embeddedResponse('coupon', 'canReceive', {}) : []),
  )
  const coupon = data?.find(({ state }) => state === 'AVAILABLE')
  useEffect(() => {
    if (coupon) dispatch({ type: 'moduleShown', day: today })
  }, [coupon, today])
  return { coupon, loading: requested && loading }
}

export const DailyCoupon = ({ coupon }: { coupon: CentreCoupon }) => (
  <Pressable className='home-notice' role='link' href={buildUrl('couponCenter')}>
    <Icon name='ticket' size='s' />
    <View className='home-notice__text'>{copy.dailyCoupon(coupon.name, couponTerm(coupon))}</View>
    <Icon name='chevron-right' size='s' />
  </Pressable>
)
