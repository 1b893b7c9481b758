/** Makes a screen a page, with the styles of all icons; home uses pageCore.tsx, which has only those it shows. */
import '../ui/Icon/deferred.scss'

export { page, type ScreenProps } from './pageCore'
