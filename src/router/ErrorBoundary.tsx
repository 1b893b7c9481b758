import { Component, type PropsWithChildren } from 'react'
import { ErrorBlock } from '@/ui/ErrorBlock/ErrorBlock'

/** Shows an error with a retry inside the page frame when a screen throws while rendering. */
export class ErrorBoundary extends Component<PropsWithChildren, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: unknown) {
    console.error('screen failed', error)
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return <ErrorBlock reason='页面出错了' onRetry={() => this.setState({ broken: false })} />
  }
}
