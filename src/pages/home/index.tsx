import { copy } from '@/features/home/copy'
import { HomeScreen } from '@/features/home/HomeScreen'
import { page } from '@/router/pageCore'

export default page('home', HomeScreen, { title: copy.product, wide: true })
