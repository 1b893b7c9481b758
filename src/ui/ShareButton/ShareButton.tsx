import { View } from '@tarojs/components'
import { clipboard } from '@/platform/clipboard'
import { HostShareButton, share } from '@/platform/share'
import { Button, type ButtonProps } from '../Button/Button'
import './ShareButton.scss'

interface Props extends Pick<ButtonProps, 'kind' | 'size' | 'label' | 'icon'> {
  /** button text where a recipient can be chosen, and where only the link can be copied */
  text: string
  copyText: string
  /** title of the share */
  title: string
  /** a sentence describing it */
  about: string
  /** page with its parameters */
  path: string
}

/** Shares a page by the means of the platform. In the mini-program `usePageMeta` provides the shared content. */
export function ShareButton({ text, copyText, title, about, path, ...look }: Props) {
  const method = share.method()
  const url = share.link(path)
  const act = () => {
    if (!url) return
    // copied with a description, so that readers of a chat know what the link opens
    void (method === 'system' ? share.open({ title, text: about, url }) : clipboard.copy(`${title}\n${about}\n${url}`))
  }
  return (
    <View className='ui-share'>
      <Button {...look} block onClick={act}>
        {method === 'copy' ? copyText : text}
      </Button>
      {share.menu() ? <View className='ui-share__menu'>也可以点右上角“···”发送给朋友</View> : null}
      <HostShareButton />
    </View>
  )
}
