import { View } from '@tarojs/components'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { copy } from '../copy'
import type { Figure } from '../model'
import './Trust.scss'

/** Three steps from a game to a report. */
export function HowItWorks() {
  return (
    <Card title={copy.how}>
      {copy.steps.map(({ title, note }, i) => (
        <View key={title} className='home-step'>
          <View className='home-step__no'>{i + 1}</View>
          <View className='home-step__body'>
            <View className='home-step__title'>{title}</View>
            <View className='home-step__note'>{note}</View>
          </View>
        </View>
      ))}
    </Card>
  )
}

/** Why the number deserves a look. */
export function Reasons() {
  return (
    <Card title={copy.why}>
      {copy.reasons.map(({ icon, title, note }) => (
        <View key={title} className='home-step'>
          <View className='home-step__icon'>
            <Icon name={icon} />
          </View>
          <View className='home-step__body'>
            <View className='home-step__title'>{title}</View>
            <View className='home-step__note'>{note}</View>
          </View>
        </View>
      ))}
    </Card>
  )
}

/** Counters of the database; nothing to show, nothing shown. */
export function Figures({ list }: { list: readonly Figure[] }) {
  if (list.length === 0) return null
  return (
    <View className='home-figures'>
      {list.map(({ label, value }) => (
        <View key={label} className='home-figure'>
          <View className='home-figure__value'>{value}</View>
          <View className='home-figure__label'>{label}</View>
        </View>
      ))}
    </View>
  )
}
