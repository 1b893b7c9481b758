// The browser itself, where mini-programs get an imitation of it.
export const TaroWindow = Window
export const taroWindowProvider = window
export const taroLocationProvider = window.location
export const taroHistoryProvider = window.history
