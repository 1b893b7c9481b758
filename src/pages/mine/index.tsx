import { MineScreen } from '@/features/mine/MineScreen'
import { page } from '@/router/page'

export default page('mine', MineScreen)
