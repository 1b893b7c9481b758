import { Progress as NutProgress } from '@nutui/nutui-react-taro'
import { count } from '@/contract/format'
import { a11y } from '../a11y'
import './Progress.scss'

interface Props {
  done: number
  total: number
  /** for example `已填` shows 已填 8/12 */
  label: string
  /** shows 进度 65% instead of 进度 65/100 */
  percent?: boolean
}

/** Progress as text and as a bar. */
export function Progress({ done, total, label, percent }: Props) {
  const share = total > 0 ? Math.min(100, Math.round((done / total) * 100)) : 0
  const text = `${label} ${percent ? `${share}%` : `${count(done)}/${count(total)}`}`
  return (
    <NutProgress className='ui-progress' percent={share} color='var(--blue)' showText {...a11y('img', { label: text })}>
      {text}
    </NutProgress>
  )
}
