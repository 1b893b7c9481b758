import { View } from '@tarojs/components'
import type { OpenPayStatus } from '@/contract/types'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import type { IconName } from '@/ui/Icon/names'
import { Tag } from '@/ui/Tag/Tag'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import { gamesUrl, manualEntry } from '../model'
import './Entries.scss'

interface EntryProps {
  icon: IconName
  title: string
  note: string
  soon?: boolean
  pink?: boolean
  href: string
}

function Entry({ icon, title, note, soon, pink, href }: EntryProps) {
  return (
    <Tap className={cx('home-entry', pink && 'home-entry--pink')} href={href}>
      <View className='home-entry__top'>
        <View className='home-entry__mark'>
          <Icon name={icon} />
        </View>
        {soon ? <Tag tone='pink'>{copy.soon}</Tag> : null}
      </View>
      <View className='home-entry__title'>{title}</View>
      <View className='home-entry__note'>{note}</View>
    </Tap>
  )
}

/** Entries to the AI and the manual valuation; the latter shows when it is not available. */
export function Entries({ status }: { status: OpenPayStatus | undefined }) {
  const manual = manualEntry(status)
  return (
    <View className='home-entries'>
      <Entry icon='robot' title={copy.ai} note={copy.aiNote} href={gamesUrl('AI')} />
      <Entry icon='expert' pink title={copy.manual} note={manual.note} soon={manual.soon} href={gamesUrl('MANUAL')} />
    </View>
  )
}
