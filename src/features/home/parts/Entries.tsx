import { View } from '@tarojs/components'
import type { OpenPayStatus } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import type { IconName } from '@/ui/Icon/names'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from '../copy'
import { gamesUrl, manualEntry } from '../model'
import './Entries.scss'

interface EntryProps {
  icon: IconName
  title: string
  note: string
  pink?: boolean
  href: string
}

function Entry({ icon, title, note, pink, href }: EntryProps) {
  return (
    <Pressable className={cx('home-entry', pink && 'home-entry--pink')} href={href}>
      <Icon name={icon} size='l' />
      <View className='home-entry__title'>{title}</View>
      <View className='home-entry__note'>
        <Unbroken text={note} />
      </View>
    </Pressable>
  )
}

/** Three ways to a price: a form, a pasted text, an appraiser. The last one says when it is not available. */
export function Entries({ status }: { status: OpenPayStatus | undefined }) {
  return (
    <View className='home-entries'>
      <Entry icon='doc' title={copy.ai} note={copy.aiNote} href={gamesUrl('AI')} />
      <Entry
        icon='copy'
        title={copy.paste}
        note={copy.pasteNote}
        href={buildUrl('evaluation', { mode: 'AI', paste: '1' })}
      />
      <Entry icon='expert' pink title={copy.manual} note={manualEntry(status)} href={gamesUrl('MANUAL')} />
    </View>
  )
}
