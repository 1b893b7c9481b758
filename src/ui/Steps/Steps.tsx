import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import './Steps.scss'

interface Props {
  items: readonly { title: string; note?: string }[]
  /** index of the one under way; without it all are told as equals, e.g. how something works */
  current?: number
  /** the one under way did not work out */
  failed?: boolean
}

/** Steps one under another: done, under way, to come. */
export function Steps({ items, current, failed }: Props) {
  return (
    <View className='ui-steps' {...a11y('list')}>
      {items.map(({ title, note }, i) => {
        const done = current !== undefined && i < current
        const here = i === current
        const state = done ? '已完成' : here ? (failed ? '未成功' : '进行中') : undefined
        return (
          <View
            key={title}
            className={cx(
              'ui-step',
              done && 'ui-step--done',
              here && 'ui-step--here',
              here && failed && 'ui-step--bad',
            )}
            {...a11y('listitem')}
          >
            <View className='ui-step__mark'>
              {done ? <Icon name='check' size='s' /> : here && failed ? <Icon name='close' size='s' /> : i + 1}
            </View>
            <View className='ui-step__body'>
              <View className='ui-step__title'>
                {title}
                {state ? <View className='ui-step__state'>{state}</View> : null}
              </View>
              {note ? <View className='ui-step__note'>{note}</View> : null}
            </View>
          </View>
        )
      })}
    </View>
  )
}
