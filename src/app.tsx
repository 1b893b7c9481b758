import '@/lib/fromEntries'
import { usePageNotFound } from '@tarojs/taro'
import type { PropsWithChildren } from 'react'
import { boot } from '@/boot'
import { nav } from '@/router/nav'
import './app.scss'

boot()

export default function App({ children }: PropsWithChildren) {
  // outdated links and mistyped addresses
  usePageNotFound(() => void nav.home())
  return children
}
