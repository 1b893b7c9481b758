/** What the ports use of the mini-program's api; the official typings also redeclare `console`, `Page` and timers. */
interface WxPrefetched {
  /** what the address answered, as text */
  fetchedData: string
  /** ms, when it was fetched */
  timeStamp: number
}
interface WxFailure {
  errMsg: string
  errno?: number
}
interface WxTask {
  abort(): void
}
interface WxTransfer {
  onProgressUpdate(listener: (p: { progress: number }) => void): void
  onHeadersReceived(listener: (r: { header: Record<string, unknown> }) => void): void
}
interface WxReply {
  statusCode: number
  header: Record<string, unknown>
  data: unknown
}
interface WxRect {
  top: number
  bottom: number
  left: number
  right: number
  width: number
  height: number
}
interface WxPage {
  route: string
  options: Record<string, string | undefined>
}
interface WxImage {
  width: number
  height: number
  src: string
  onload(): void
  onerror(): void
}
interface WxCanvas {
  width: number
  height: number
  createImage(): WxImage
  getContext(kind: '2d'): {
    fillStyle: string
    fillRect(x: number, y: number, width: number, height: number): void
    drawImage(image: WxImage, x: number, y: number, width: number, height: number): void
  }
}

interface WxRewardedAd {
  load(): Promise<unknown>
  show(): Promise<unknown>
  onClose(listener: (r?: { isEnded?: boolean }) => void): void
  offClose(listener: (r?: { isEnded?: boolean }) => void): void
}

/** What the user said to the host's privacy guide. */
type WxPrivacyAnswer = (o: { event: 'agree'; buttonId: string } | { event: 'disagree' }) => void

declare const wx: {
  onNeedPrivacyAuthorization?(listener: (answer: WxPrivacyAnswer) => void): void
  createRewardedVideoAd(o: { adUnitId: string }): WxRewardedAd
  getStorageSync(key: string): unknown
  setStorageSync(key: string, value: string): void
  removeStorageSync(key: string): void
  request(o: {
    url: string
    method: 'GET' | 'POST'
    data?: string
    header: Record<string, string>
    timeout: number
    /** anything but `json`: the answer stays text */
    dataType: 'text'
    success(r: WxReply): void
    fail(e: WxFailure): void
  }): WxTask
  uploadFile(o: {
    url: string
    filePath: string
    name: string
    formData: Record<string, string>
    header: Record<string, string>
    timeout: number
    success(r: { statusCode: number; data: string }): void
    fail(e: WxFailure): void
  }): WxTask & WxTransfer
  downloadFile(o: {
    url: string
    header: Record<string, string>
    timeout: number
    success(r: { statusCode: number; tempFilePath: string; header?: Record<string, unknown> }): void
    fail(e: WxFailure): void
  }): WxTask & WxTransfer
  showToast(o: { title: string; icon: 'none'; duration: number }): void
  showLoading(o: { title: string; mask: boolean }): void
  hideLoading(o?: { fail?(): void }): void
  showModal(o: {
    title: string
    content: string
    showCancel: boolean
    confirmText: string
    cancelText: string
    success(r: { confirm: boolean }): void
    fail(): void
  }): void
  openCustomerServiceChat(o: { extInfo: { url: string }; corpId: string; success(): void; fail(): void }): void
  login(o: { success(r: { code: string }): void; fail(): void }): void
  setClipboardData(o: { data: string; success(): void; fail(): void }): void
  getWindowInfo(): {
    windowWidth: number
    windowHeight: number
    screenHeight: number
    statusBarHeight: number
    safeArea?: WxRect
  }
  getDeviceInfo(): { platform: string }
  getMenuButtonBoundingClientRect(): WxRect
  getBackgroundFetchData(o: { fetchType: 'pre'; success(r: WxPrefetched): void; fail(): void }): void
  getLaunchOptionsSync(): { path: string; query?: Record<string, string | undefined> }
  onAppShow(listener: (entry: { path: string; query?: Record<string, string | undefined> }) => void): void
  getUpdateManager(): {
    onUpdateReady(listener: () => void): void
    onUpdateFailed(listener: () => void): void
    applyUpdate(): void
  }
  onError(listener: (reason: unknown) => void): void
  onUnhandledRejection(listener: (r: { reason: unknown }) => void): void
  getRealtimeLogManager(): {
    setFilterMsg(text: string): void
    warn(...facts: string[]): void
    error(...facts: string[]): void
  }
  getNetworkType(o: { success(r: { networkType: string }): void }): void
  onNetworkStatusChange(listener: (r: { isConnected: boolean }) => void): void
  offNetworkStatusChange(listener: (r: { isConnected: boolean }) => void): void
  requestPayment(o: { success(r: WxFailure): void; fail(r: WxFailure): void }): void
  requestVirtualPayment(o: { success(r: WxFailure): void; fail(r: WxFailure): void }): void
  requestSubscribeMessage(o: {
    tmplIds: string[]
    success(r: Record<string, string>): void
    fail(e: WxFailure): void
  }): void
  previewImage(o: { urls: string[]; current: string; fail(): void }): void
  chooseMedia(o: {
    count: number
    mediaType: ['image']
    sourceType: ('album' | 'camera')[]
    sizeType: ('original' | 'compressed')[]
    success(r: { tempFiles: { tempFilePath: string; size: number }[] }): void
    fail(e: WxFailure): void
  }): void
  createOffscreenCanvas(o: { type: '2d'; width: number; height: number }): WxCanvas
  canvasToTempFilePath(o: {
    canvas: WxCanvas
    fileType: 'jpg'
    quality: number
    success(r: { tempFilePath: string }): void
    fail(): void
  }): void
  getFileSystemManager(): {
    readFile(o: {
      filePath: string
      position: number
      length: number
      success(r: { data: ArrayBuffer }): void
      fail(): void
    }): void
    getFileInfo(o: { filePath: string; success(r: { size: number }): void; fail(): void }): void
    writeFile(o: {
      filePath: string
      data: string
      encoding: 'base64'
      success(): void
      fail(e: WxFailure): void
    }): void
  }
  env: { USER_DATA_PATH: string }
  saveImageToPhotosAlbum(o: { filePath: string; success(): void; fail(e: WxFailure): void }): void
  openDocument(o: { filePath: string; fileType: 'pdf'; showMenu: boolean; success(): void; fail(): void }): void
  getAppAuthorizeSetting(): { albumAuthorized?: string; cameraAuthorized?: string }
  openAppAuthorizeSetting(o: object): void
  openSetting(o: { success(r: { authSetting: Record<string, boolean | undefined> }): void; fail(): void }): void
  setNavigationBarTitle(o: { title: string; fail?(): void }): void
}
