import type { FormConfig } from '@/contract/form/types'
import type { Direction } from './shapes'
import type { Observed } from './types'
export function orient(_config: FormConfig, _sales: readonly Observed[]): Map<string, Direction> {
  return new Map()
}
