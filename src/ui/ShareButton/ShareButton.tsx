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
  /** and a sentence about it */
  about: string
  /** page with its parameters */
  path: string
}

/** What is copied: who finds it in a chat knows what it is before it is opened. */
export const shareText = ({ title, about, url }: { title: string; about: string; url: string }) =>
  `${title}\n${about}\n${url}`

/** Gives a page to others in the way of this platform. In the mini-program what is shared is what `usePageMeta` says. */
export function ShareButton({ text, copyText, title, about, path, ...look }: Props) {
  const way = share.way()
  const url = share.link(path)
  const act = () => {
    if (!url) return
    void (way === 'system' ? share.open({ title, text: about, url }) : clipboard.copy(shareText({ title, about, url })))
  }
  return (
    <View className='ui-share'>
      <Button {...look} block onClick={act}>
        {way === 'copy' ? copyText : text}
      </Button>
      {share.menu() ? <View className='ui-share__menu'>也可以点右上角“···”发送给朋友</View> : null}
      <ShareOver />
    </View>
  )
}
