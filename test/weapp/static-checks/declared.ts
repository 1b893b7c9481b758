/** Settings made by hand in WeChat's console for this mini-program (docs/mini-program.md); the build must agree with it. */

/**
 * Origins named in libraries: links to explanations, and the pictures of NutUI's Empty, in whose place `ui/Empty` always
 * puts a drawing. Nothing is ever sent there or loaded from there.
 */
export const mentioned = [
  // the namespace of SVG inside data addresses
  'http://www.w3.org',
  'https://reactjs.org',
  'https://github.com',
  'https://taro.com',
  'https://storage.360buyimg.com',
]

/** Violations that cannot happen: jotai makes an AbortController only for an atom that reads its `signal`, and none of ours does. */
export const harmless = ['vendors.js: browser global AbortController']

/** Entries of the privacy agreement (小程序用户隐私保护指引) and the functions or buttons that need them. */
export const privacy: Record<string, readonly string[]> = {
  手机号: ['getPhoneNumber'],
  选中的照片或视频信息: ['chooseMedia'],
  '相册（仅写入）权限': ['saveImageToPhotosAlbum'],
  剪切板: ['setClipboardData'],
}

/** The button types (`open-type`) among them. */
export const guardedButtons = ['getPhoneNumber', 'getRealtimePhoneNumber', 'chooseAvatar']

/** Everything WeChat guards by the agreement: calling it undeclared fails with errno 112. */
export const guarded = [
  ...guardedButtons,
  ...['getLocation', 'getFuzzyLocation', 'startLocationUpdate', 'startLocationUpdateBackground', 'onLocationChange'],
  ...['chooseLocation', 'choosePoi', 'chooseAddress', 'chooseInvoice', 'chooseInvoiceTitle', 'chooseLicensePlate'],
  ...['getWeRunData', 'chooseImage', 'chooseMedia', 'chooseVideo', 'chooseMessageFile'],
  ...['startRecord', 'getRecorderManager', 'joinVoIPChat', 'createCameraContext', 'createVKSession'],
  ...['openBluetoothAdapter', 'createBLEPeripheralServer', 'saveImageToPhotosAlbum', 'saveVideoToPhotosAlbum'],
  ...['addPhoneContact', 'addPhoneRepeatCalendar', 'addPhoneCalendar', 'setClipboardData', 'getClipboardData'],
  ...['startAccelerometer', 'startCompass', 'startDeviceMotionListening', 'startGyroscope'],
]

/** Of these functions, app.json must list exactly the used ones in `requiredPrivateInfos`. */
export const locations = [
  ...['getLocation', 'getFuzzyLocation', 'startLocationUpdate', 'startLocationUpdateBackground', 'onLocationChange'],
  ...['chooseLocation', 'choosePoi', 'chooseAddress'],
]

/** Withdrawn by WeChat: they return nothing, or only grey pictures. */
export const withdrawn = ['getUserInfo', 'getUserProfile', 'createContact', 'chooseInvoiceTitle', 'hideKeyBoard']
