import { attachProps as attach } from '@tarojs/components/lib/react/react-component-lib/utils/attachProps'

export * from '@tarojs/components/lib/react/react-component-lib/utils/attachProps'

/** Taro's own, and what it takes from React without saying so. */
export function attachProps(node, props, before) {
  if (node) {
    // where React keeps what an element was given last: Taro looks there to put a box right after an event
    node.__reactProps = props
    // Preact sets what an element has as a property, and this one it has as a method
    if ('focus' in props) node.setAttribute('focus', props.focus)
  }
  attach(node, props, before)
}
