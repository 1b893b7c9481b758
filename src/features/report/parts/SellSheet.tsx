import { View } from '@tarojs/components'
import type { Report } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { Notice } from '@/ui/Notice/Notice'
import { Notify } from '@/ui/Notify/Notify'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import { listingText } from '../listingText'
import './SellSheet.scss'

/** A listing made from the report, copied with one tap. */
export function SellSheet({ report, open, onClose }: { report: Report; open: boolean; onClose: () => void }) {
  const text = listingText(report)
  return (
    <Sheet
      open={open}
      inset
      onClose={onClose}
      title={copy.sell}
      action={{ text: copy.sellCopy, icon: 'copy', onClick: () => void clipboard.copy(text) }}
    >
      <View className='rp-listing'>
        {text.split('\n').map((line) => (
          <View key={line}>{line}</View>
        ))}
      </View>
      <Notice tone='warn' icon='shield' text={copy.sellSafety} />
      <View className='rp-notify'>
        <Notify about='sale' />
      </View>
    </Sheet>
  )
}
