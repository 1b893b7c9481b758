import { defineCustomElement as defineImage } from '@tarojs/components/dist/components/taro-image-core'
import {
  defineCustomElement as defineScrollView,
  TaroScrollViewCore,
} from '@tarojs/components/dist/components/taro-scroll-view-core'
import { defineCustomElement as defineText } from '@tarojs/components/dist/components/taro-text-core'
import { defineCustomElement as defineView } from '@tarojs/components/dist/components/taro-view-core'
import { manipulatePropsFunction } from '@tarojs/components/lib/react/helper'
import { createReactComponent } from '@tarojs/components/lib/react/react-component-lib/createComponent'

const make = (tag, define) => /*@__PURE__*/ createReactComponent(tag, undefined, manipulatePropsFunction, define)

// The four components of home are imported separately: an import from the module with all components would load all of
// them.
export const View = /*@__PURE__*/ make('taro-view-core', defineView)
export const ScrollView = /*@__PURE__*/ make('taro-scroll-view-core', defineScrollView)
export const Image = /*@__PURE__*/ make('taro-image-core', defineImage)
export const Text = /*@__PURE__*/ make('taro-text-core', defineText)
export * from '@tarojs/components/lib/react/components'

// Taro's scroll view stops every touchmove, so a page could not be pulled down on a row that scrolls sideways. A
// movement along the row is still stopped: pull-to-refresh would cancel it as soon as the finger drifts down.
let from
addEventListener('touchstart', (e) => (from = e.touches[0]), { capture: true, passive: true })
TaroScrollViewCore.prototype.handleTouchMove = function (e) {
  const [to] = e.touches || []
  const isVertical = to && from && Math.abs(to.clientY - from.clientY) > Math.abs(to.clientX - from.clientX)
  if (!this.scrollX || !isVertical) e.stopPropagation()
}
