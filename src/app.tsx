import type { PropsWithChildren } from 'react'
import { boot } from '@/boot'
import './app.scss'

boot()

export default function App({ children }: PropsWithChildren) {
  return children
}
