import { View } from '@tarojs/components'
import { useState } from 'react'
import type { Report } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { Notify } from '@/ui/Notify/Notify'
import { Sheet } from '@/ui/Sheet/Sheet'
import { Switch } from '@/ui/Switch/Switch'
import { copy } from '../copy'
import { listingText } from '../listingText'
import './SellSheet.scss'

/** A listing made from the report, copied with one tap; the link to the page that verifies it can be left out. */
export function SellSheet({ report, open, onClose }: { report: Report; open: boolean; onClose: () => void }) {
  const [withLink, setWithLink] = useState(true)
  const text = listingText(report, withLink)
  const lines = text.split('\n')
  const { price, verifyUrl } = report
  return (
    <Sheet
      open={open}
      inset
      onClose={onClose}
      title={copy.sell}
      foot={
        <Button block icon='copy' onClick={() => void clipboard.copy(text)}>
          {copy.sellCopy}
        </Button>
      }
    >
      <View className='rp-listing'>
        {lines.map((line) => (
          <View key={line}>{line}</View>
        ))}
      </View>
      {verifyUrl ? (
        <View className='rp-sell-link'>
          <View className='rp-sell-link__words'>
            <View>{copy.sellLink}</View>
            {price.predictFen < price.listFen ? (
              <View className='rp-sell-link__note'>{copy.sellLinkShows(price.predictFen)}</View>
            ) : null}
          </View>
          <Switch name={copy.sellLink} value={withLink} onChange={setWithLink} />
        </View>
      ) : null}
      <Notice tone='warn' icon='shield' text={copy.sellSafety} />
      <View className='rp-notify'>
        <Notify about='sale' />
      </View>
    </Sheet>
  )
}
