import type { ComponentType } from 'react'
import type { RouteName } from './routes'

export function page(_name: RouteName, Screen: ComponentType) {
  return Screen
}
