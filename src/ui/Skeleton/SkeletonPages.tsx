import { View } from '@tarojs/components'
import { Card } from '../Card/Card'
import { Skeleton, SkeletonBlock, SkeletonCard } from './Skeleton'

/** Labels and boxes, as in forms. */
export function SkeletonForm({ fields = 4 }: { fields?: number }) {
  return (
    <Skeleton>
      <Card>
        {Array.from({ length: fields }, (_, i) => `field${i}`).map((key) => (
          <View key={key} className='ui-skeleton__field'>
            <SkeletonBlock w={30} />
            <SkeletonBlock kind='block' />
          </View>
        ))}
      </Card>
    </Skeleton>
  )
}

/** Price card and two cards, as in a report. */
export function SkeletonReport() {
  return (
    <Skeleton>
      <Card>
        <SkeletonBlock w={40} />
        <SkeletonBlock kind='price' w={60} />
        <SkeletonBlock kind='block' />
      </Card>
      <SkeletonCard lines={3} />
      <SkeletonCard lines={4} />
    </Skeleton>
  )
}
