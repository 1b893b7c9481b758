import { clipboard } from '@/platform/clipboard'
import { Cell } from './Cell'

interface Props {
  title: string
  /** copied by a tap */
  text: string
  /** accessible name of the action, without the text */
  action: string
}

/** A number or address that a tap copies. */
export const CopyCell = ({ title, text, action }: Props) => (
  <Cell title={title} note={text} end='copy' label={`${action} ${text}`} onClick={() => void clipboard.copy(text)} />
)
