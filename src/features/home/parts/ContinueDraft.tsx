import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { buildUrl } from '@/router/params'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy, type DraftSummary } from '../copy'
import './ContinueDraft.scss'

/** Link to the most recent unfinished form. */
export function ContinueDraft({ draft, tile }: { draft: DraftSummary; tile?: ReactNode }) {
  const { gameId, mode } = draft
  return (
    <Pressable className='home-go' href={buildUrl('evaluationFillInInfo', { gameId, mode })}>
      {tile ?? <GameTile gameId={gameId} />}
      <View className='home-go__body'>
        <View className='home-go__title'>{copy.draftTitle}</View>
        <View className='home-go__note'>{copy.draftNote(draft)}</View>
      </View>
      <View className='home-go__act'>
        {copy.draftGo}
        <Icon name='chevron-right' size='s' />
      </View>
    </Pressable>
  )
}
