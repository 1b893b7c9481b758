import type { CallGroup, CallOf } from '@/contract/calls'
import type { Req, Res } from '@/contract/types'
import { api, embeddedResponse } from '.'
import type { CallOptions } from './client'
import { type Load, useLoad } from './useLoad'

/** One call as a load. The screen shows its failures. */
export function useCall<R extends CallGroup, C extends CallOf<R>>(group: R, name: C, req: Req<R, C>): Load<Res<R, C>> {
  type Ask = (req: Req<R, C>, options: CallOptions) => Promise<Res<R, C>>
  return useLoad(
    `${group}.${String(name)}:${JSON.stringify(req)}`,
    (signal) => (api[group][name] as Ask)(req, { quiet: true, signal }),
    () => embeddedResponse(group, name, req),
  )
}
