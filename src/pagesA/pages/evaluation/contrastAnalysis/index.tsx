import { ContrastScreen } from '@/features/contrast/ContrastScreen'
import { page } from '@/router/page'

export default page('contrastAnalysis', ContrastScreen, { wide: true })
