import { Textarea, View } from '@tarojs/components'
import { useMemo } from 'react'
import { CHAT_TEXT_MAX } from '@/contract/constants'
import { usePersistedInput } from '@/session/usePersistedInput'
import { Button } from '@/ui/Button/Button'
import { Icon } from '@/ui/Icon/Icon'
import { nativeMaxLength } from '@/ui/limitText'
import { Pressable } from '@/ui/Pressable/Pressable'
import { useTextValue } from '@/ui/TextInput/useTextValue'
import { copy } from '../copy'
import './Composer.scss'

interface Props {
  onSend: (text: string) => void
  onMore: () => void
}

/** Message input; grows with the text, stays above the keyboard, and keeps what was not sent. */
export function Composer({ onSend, onMore }: Props) {
  const [{ text }, set] = usePersistedInput('chat', () => ({ text: '' }))
  const setText = (next: string) => set({ text: next })
  const { shown, onInput } = useTextValue({ value: text, onChange: setText, maxLength: CHAT_TEXT_MAX })
  // keeps its identity: a new object redraws Taro's box while an input method is composing
  const native = useMemo(() => ({ 'aria-label': copy.box, enterkeyhint: 'send' }), [])
  const ready = text.trim() !== ''
  const send = () => {
    if (!ready) return
    onSend(text.trim())
    setText('')
  }
  return (
    <View className='ch-composer'>
      <Pressable className='ch-composer__more' label={copy.more} onClick={onMore}>
        <Icon name='plus' />
      </Pressable>
      <View className='ch-composer__box'>
        <Textarea
          className='ch-composer__text'
          value={shown}
          maxlength={nativeMaxLength(CHAT_TEXT_MAX)}
          autoHeight
          showConfirmBar={false}
          cursorSpacing={12}
          placeholder={copy.ghost}
          placeholderClass='ui-line__ghost'
          nativeProps={native}
          onInput={onInput}
        />
      </View>
      <View className='ch-composer__send'>
        <Button size='m' disabled={!ready} onClick={send}>
          {copy.send}
        </Button>
      </View>
    </View>
  )
}
