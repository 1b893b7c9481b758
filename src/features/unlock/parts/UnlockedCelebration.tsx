import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { nav } from '@/router/nav'
import { appState, dispatch } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Icon } from '@/ui/Icon/Icon'
import { copy } from '../copy'
import './UnlockedCelebration.scss'

/** ms until the report opens automatically */
const CELEBRATION_MS = 2600

/** The report was unlocked: a celebration at the first visit, then the report. */
export function UnlockedCelebration({ orderId, visible }: { orderId: string; visible: boolean }) {
  const key = `unlocked:${orderId}`
  const [first] = useState(() => appState().popupState[key] === undefined)
  const view = () => void nav.redirect('report', { orderId })

  useEffect(() => {
    dispatch({ type: 'popupShown', key, at: Date.now() })
  }, [key])
  useEffect(() => {
    if (!visible) return
    const timer = setTimeout(() => void nav.redirect('report', { orderId }), first ? CELEBRATION_MS : 0)
    return () => clearTimeout(timer)
  }, [first, visible, orderId])

  if (!first) return null
  return (
    <>
      <View className='un-done' {...a11y('status')}>
        <View className='un-done__rays'>
          <View className='un-done__ray' />
          <View className='un-done__ray un-done__ray--2' />
          <View className='un-done__mark'>
            <Icon name='unlock' size='xl' />
          </View>
        </View>
        <View className='un-done__title'>{copy.done}</View>
        <View className='un-done__note'>{copy.doneNote}</View>
      </View>
      <ActionBar primary={{ text: copy.view, onClick: view }} />
    </>
  )
}
