import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { a11y } from '@/ui/a11y'
import { copy } from '../copy'
import './WaysIn.scss'

/** The other ways to give the answers, in one row. */
export const WaysIn = ({ children }: { children: ReactNode }) => (
  <View className='ev-ways' {...a11y('group', { label: copy.waysPick })}>
    {children}
  </View>
)
