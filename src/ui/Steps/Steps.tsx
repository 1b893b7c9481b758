import { Steps as NutSteps, Step } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { Icon } from '../Icon/Icon'
import './Steps.scss'

interface Props {
  items: readonly { title: string; note?: string }[]
  /** index of the current step; without it all look alike, e.g. for an explanation */
  current?: number
}

/** Vertical steps: done, current, to come. */
export function Steps({ items, current = -1 }: Props) {
  return (
    <View {...a11y('list')}>
      <NutSteps className='ui-steps' direction='vertical' type='icon' status='dynamic' value={current}>
        {items.map(({ title, note }, i) => {
          const state = i < current ? '已完成' : i === current ? '进行中' : undefined
          return (
            <View key={title} {...a11y('listitem')}>
              <Step
                value={i}
                icon={i < current ? <Icon name='check' size='s' /> : i + 1}
                // NutUI would truncate a title after one line
                description={
                  <>
                    <View className='ui-step__title'>
                      {title}
                      {state ? <View className='ui-step__state'>{state}</View> : null}
                    </View>
                    {note}
                  </>
                }
              />
            </View>
          )
        })}
      </NutSteps>
    </View>
  )
}
