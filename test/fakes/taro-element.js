/**
 * Taro's `View` and `Text` without their custom elements, which draw nothing but their children: what they add, the look
 * while pressed and `longpress`, no test needs, and drawing each a second time by Stencil takes a third of a screen
 * test. Components that the app does not use are not loaded either.
 */
exports.defineCustomElement = () => {}
