import { RichText, View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useCall } from '@/api/useCall'
import type { FaqGroup } from '@/contract/types'
import { nav } from '@/router/nav'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Empty } from '@/ui/Empty/Empty'
import { Icon } from '@/ui/Icon/Icon'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Pressable } from '@/ui/Pressable/Pressable'
import { SearchBar } from '@/ui/SearchBar/SearchBar'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { searchHelp } from './model'
import './ArticleScreen.scss'
import './help.scss'

type FaqItem = FaqGroup['items'][number]

/** One vote per visit; failures are ignored, because a lost vote is not worth an error message. */
function HelpfulVote({ id }: { id: string }) {
  const [voted, setVoted] = useState(false)
  const vote = (key: 'HELP_YES' | 'HELP_NO') => {
    setVoted(true)
    api.app.countHit({ key, bizId: id }, { quiet: true }).catch(() => undefined)
  }
  if (voted)
    return (
      <View className='help-vote' {...a11y('status')}>
        {copy.thanks}
      </View>
    )
  return (
    <View className='help-vote'>
      <Button kind='secondary' size='s' onClick={() => vote('HELP_YES')}>
        {copy.helpful}
      </Button>
      <View className='help-vote__gap' />
      <Button kind='secondary' size='s' onClick={() => vote('HELP_NO')}>
        {copy.useless}
      </Button>
    </View>
  )
}

function Question({ item, open, onToggle }: { item: FaqItem; open: boolean; onToggle: () => void }) {
  return (
    <View className='help-item'>
      <Pressable className='help-item__head' expanded={open} onClick={onToggle}>
        <View className='help-item__question'>{item.question}</View>
        <Icon name={open ? 'chevron-up' : 'chevron-down'} size='s' />
      </Pressable>
      {open ? (
        <View className='help-item__answer'>
          <RichText className='doc-body' nodes={item.answer} userSelect />
          <HelpfulVote id={item.id} />
        </View>
      ) : null}
    </View>
  )
}

/** Groups of questions; one answer is open at a time. */
export function HelpContent({ groups }: { groups: readonly FaqGroup[] }) {
  const [keyword, setKeyword] = useState('')
  const [open, setOpen] = useState<string>()
  const found = searchHelp(groups, keyword)
  return (
    <>
      <View className='help-search'>
        <SearchBar value={keyword} onChange={setKeyword} placeholder={copy.searchHelp} />
      </View>
      {found.length === 0 ? <Empty art='search' text={groups.length === 0 ? copy.noHelp : copy.notFound} /> : null}
      {found.map(({ title, items }) => (
        <Card key={title} title={title} flush>
          {items.map((item) => (
            <Question
              key={item.id}
              item={item}
              open={open === item.id}
              onToggle={() => setOpen(open === item.id ? undefined : item.id)}
            />
          ))}
        </Card>
      ))}
      <Card title={copy.unsolved}>
        <View className='help-end'>{copy.unsolvedNote}</View>
        <Button kind='secondary' block icon='headset' onClick={() => void nav.to('chat')}>
          {copy.contact}
        </Button>
      </Card>
      <View className='ui-end' />
    </>
  )
}

/** Questions and answers with a text search. */
export function HelpScreen() {
  const load = useCall('app', 'helpCenter', {})
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows rows={6} />}>
      {(groups) => <HelpContent groups={groups} />}
    </LoadBoundary>
  )
}
