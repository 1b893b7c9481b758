import { useEffect, useState } from 'react'
import { cleanProse } from '@/contract/cleanText'
import { input } from '@/platform/input'
import { limitText } from '../limitText'

interface TextValue {
  value: string
  onChange: (value: string) => void
  maxLength: number
  /** filters the typed text; by default all that is visible is kept */
  clean?: ((raw: string) => string) | undefined
}

/** The value of a text box, limited in characters; rejected text that the host keeps is set once and reset right after. */
export function useTextValue({ value, onChange, maxLength, clean }: TextValue) {
  const [refused, setRefused] = useState<string>()
  useEffect(() => {
    if (refused !== undefined) setRefused(undefined)
  }, [refused])
  const onInput = ({ detail }: { detail: { value: string } }) => {
    const next = limitText((clean ?? cleanProse)(detail.value), value, maxLength)
    if (input.keepsRefusedText && next !== detail.value) setRefused(detail.value)
    if (next !== value) onChange(next)
  }
  return { shown: refused ?? value, onInput }
}
