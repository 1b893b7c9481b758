import { ChooseGameScreen } from '@/features/evaluation/ChooseGameScreen'
import { page } from '@/router/page'

export default page('evaluationChooseGame', ChooseGameScreen)
