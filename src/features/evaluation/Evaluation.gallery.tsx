import type { GameItem } from '@/contract/types'
import type { Gallery } from '@/ui/gallery'
import { GameGrid, GameGridBones } from './parts/GameGrid'
import { ModeSwitch } from './parts/ModeSwitch'
import { Reads } from './parts/Reads'

const nothing = () => undefined
const game = (gameId: string, name: string, status: GameItem['status'] = 'ONLINE'): GameItem => ({
  gameId,
  name,
  status,
  icon: '',
  letter: 'W',
  hot: true,
  aiMode: 'MANUAL_FORM',
  modes: ['AI'],
})

const gallery: Gallery = {
  title: '估价',
  states: [
    { name: '方式：AI', render: () => <ModeSwitch mode='AI' onPick={nothing} prices /> },
    { name: '方式：人工，不显示价格', render: () => <ModeSwitch mode='MANUAL' onPick={nothing} prices={false} /> },
    {
      name: '游戏',
      render: () => (
        <GameGrid games={[game('hok', '王者荣耀'), game('hsr', '崩坏：星穹铁道', 'MAINTAIN')]} onPick={nothing} />
      ),
    },
    { name: '游戏：加载中', render: () => <GameGridBones /> },
    { name: '读取什么', render: () => <Reads /> },
  ],
}

export default gallery
