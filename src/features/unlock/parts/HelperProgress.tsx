import { View } from '@tarojs/components'
import { useMemo } from 'react'
import { avatars } from '@/contract/labels'
import type { UnlockRecord } from '@/contract/types'
import { toDeviceTime } from '@/lib/clock'
import { Avatar } from '@/ui/Avatar/Avatar'
import { a11y } from '@/ui/a11y'
import { Countdown } from '@/ui/Countdown/Countdown'
import { copy } from '../copy'
import './HelperProgress.scss'

type Shown = Pick<UnlockRecord, 'need' | 'got' | 'helpers' | 'expireAt' | 'status' | 'now'>

const faceOf = (avatar: string | undefined) => avatars.find((known) => known === avatar)

/** One place for each friend needed: taken by a helper, or free. */
function HelperSlots({ need, helpers }: Pick<Shown, 'need' | 'helpers'>) {
  const places = Array.from({ length: need }, (_, i) => helpers[i])
  return (
    <View className='un-places' {...a11y('list')}>
      {places.map((helper, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places keep their order
        <View key={i} className='un-place' {...a11y('listitem', { label: helper?.nickMasked ?? copy.free })}>
          <Avatar icon={faceOf(helper?.avatar) || (helper ? 'user-fill' : 'plus')} free={!helper} />
          <View className='un-place__nick'>{helper?.nickMasked ?? ' '}</View>
        </View>
      ))}
    </View>
  )
}

/** Progress: places, count and time left. */
export function HelperProgress({ record, onEnd }: { record: Shown; onEnd?: () => void }) {
  const { need, got, helpers, status } = record
  // set once per response; this device's clock counts from then on
  const until = useMemo(() => toDeviceTime(record.expireAt, record.now), [record])
  return (
    <>
      <HelperSlots need={need} helpers={helpers} />
      <View className='un-count' {...a11y('status')}>
        {`${copy.helped} ${got}/${need}`}
      </View>
      {status === 'ONGOING' ? (
        <View className='un-left'>
          {`${copy.left} `}
          <Countdown key={record.expireAt} until={until} onEnd={onEnd} />
        </View>
      ) : null}
    </>
  )
}
