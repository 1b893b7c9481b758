/** Makes a screen a page with everything pages draw with; home leaves out what it does not show (pageCore.tsx). */
import '../ui/Icon/rest.scss'

export { page, type ScreenProps } from './pageCore'
