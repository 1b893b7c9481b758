import { Button, Text, View } from '@tarojs/components'
import { Component, type PropsWithChildren } from 'react'

/** A screen that throws while drawing leaves its frame standing, says so and can be started again. */
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
    return (
      <View>
        <Text>页面出错了</Text>
        <Button onClick={() => this.setState({ broken: false })}>点击重试</Button>
      </View>
    )
  }
}
