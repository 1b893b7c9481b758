export type Os = 'ios' | 'android' | 'other'

/** CSS pixels. On h5 the safe areas are `env(safe-area-inset-*)` in the styles and 0 here. */
export interface FrameSize {
  statusBar: number
  bottom: number
  /** The mini-program's own button at the top right; `fromRight` is its left edge's distance to the right border. */
  capsule?: { top: number; height: number; fromRight: number }
}

export interface Device {
  /** As sent in the header `platform`. */
  platform: 'h5' | 'weapp'
  /** Own host names, of pages or api. */
  ownHosts: readonly string[]
  /** The host can identify the user and offers its own login. */
  hasNativeLogin: boolean
  /** External pages are shown in an iframe below our title bar; otherwise the host shows them itself. */
  supportsIframes: boolean
  /** Maximum size of the runtime's page stack. */
  pageLimit: number
  /** As sent in the header `os`. */
  os(): Os
  /** Whether the device is a phone, which cannot scan its own screen. */
  handheld(): boolean
  frame(): FrameSize
}
