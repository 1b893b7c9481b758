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
  /** Hosts that are ours: of the pages, or of the api. */
  ownHosts: readonly string[]
  /** The host knows its person: there is a login of its own, beside the one by mobile number. */
  hostLogin: boolean
  /** Other pages are shown in a frame of ours, with our bar around it; else the host shows them by itself. */
  framesPages: boolean
  /** Pages the runtime keeps on its stack; one more is refused. */
  pageLimit: number
  /** As sent in the header `os`. */
  os(): Os
  /** A phone: what has to be scanned from its screen is better opened on it. */
  handheld(): boolean
  frame(): FrameSize
}
