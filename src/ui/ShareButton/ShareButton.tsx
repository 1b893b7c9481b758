import { View } from '@tarojs/components'
import { clipboard } from '@/platform/clipboard'
import { ShareOver, share } from '@/platform/share'
import { Button, type ButtonProps } from '../Button/Button'
import './ShareButton.scss'

interface Props extends Pick<ButtonProps, 'kind' | 'size' | 'label' | 'icon'> {
  /** on the button where a person can be chosen, and where only the address can be copied */
  text: string
  copyText: string
  /** what the share says */
  title: string
  /** page with its parameters */
  path: string
}

/** Gives a page to others in the way of this platform. In the mini-program what is shared is what `usePageMeta` says. */
export function ShareButton({ text, copyText, title, path, ...look }: Props) {
  const way = share.way()
  const url = share.link(path)
  const act = () => {
    if (!url) return
    void (way === 'system' ? share.open({ title, url }) : clipboard.copy(url))
  }
  return (
    <View className='ui-share'>
      <Button {...look} block onClick={act}>
        {way === 'copy' ? copyText : text}
      </Button>
      {share.menu() ? <View className='ui-share__menu'>也可以点右上角「···」发送给朋友</View> : null}
      <ShareOver />
    </View>
  )
}
