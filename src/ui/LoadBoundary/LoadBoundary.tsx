import type { ReactNode } from 'react'
import { ErrorBlock } from '../ErrorBlock/ErrorBlock'
import { Notice } from '../Notice/Notice'

/** The part of the result of `useLoad` that ui needs. */
export interface LoadState<T> {
  data?: T | undefined
  error?: { msg: string; requestId?: string | undefined } | undefined
  loading: boolean
  reload: () => unknown
}

interface Props<T> {
  load: LoadState<T>
  /** placeholder with the layout of the content */
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** Data from the server: its skeleton, its error or its content. Previous data stay visible if a reload fails. */
export function LoadBoundary<T>({ load, skeleton, children }: Props<T>) {
  const { data, error, loading, reload } = load
  if (data !== undefined) {
    return (
      <>
        {error ? (
          <Notice tone='warn' text={error.msg} action={{ text: '点击重试', onClick: () => void reload() }} />
        ) : null}
        {children(data)}
      </>
    )
  }
  if (error) {
    return (
      <ErrorBlock reason={error.msg} requestId={error.requestId} retrying={loading} onRetry={() => void reload()} />
    )
  }
  return skeleton
}
