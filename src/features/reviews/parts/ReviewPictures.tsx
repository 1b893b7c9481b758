import { View } from '@tarojs/components'
import { usePictureUrls } from '@/api/usePictures'
import { imagePreview } from '@/platform/imagePreview'
import { Picture } from '@/ui/Picture/Picture'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'

/** Submitted pictures; a tap opens the viewer. */
export function ReviewPictures({ keys }: { keys: readonly string[] }) {
  const seen = usePictureUrls(keys, 'EVALUATION')
  const urls = seen.filter((src) => src !== undefined)
  return (
    <View className='ev-shots'>
      {seen.map((src, index) => (
        <Pressable
          key={keys[index]}
          className='ev-shot'
          label={copy.shot(index + 1)}
          disabled={src === undefined}
          onClick={() => imagePreview.open(urls, src)}
        >
          {src ? <Picture alt='' className='ev-shot__img' src={src} mode='aspectFill' /> : null}
        </Pressable>
      ))}
    </View>
  )
}
