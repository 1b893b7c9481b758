import { View } from '@tarojs/components'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import './Reads.scss'

function Column({ title, items, yes }: { title: string; items: readonly string[]; yes: boolean }) {
  return (
    <View className='ev-reads__col'>
      <View className='ev-reads__title'>{title}</View>
      {items.map((item) => (
        <View key={item} className='ev-reads__item'>
          <Icon name={yes ? 'check' : 'close'} size='s' className={yes ? 'ev-reads__yes' : 'ev-reads__no'} />
          <View className='ev-reads__text'>{item}</View>
        </View>
      ))}
    </View>
  )
}

/** What is used for a valuation, what never is, and the scam warning. */
export function Reads() {
  return (
    <>
      <Card title={copy.reads}>
        <View className='ev-reads'>
          <Column title={copy.readYesTitle} items={copy.readYes} yes />
          <Column title={copy.readNoTitle} items={copy.readNo} yes={false} />
        </View>
      </Card>
      <Notice tone='warn' icon='shield' text={copy.scam} />
    </>
  )
}
