import { View } from '@tarojs/components'
import './Unbroken.scss'

/** Parts that are read as one: a price range, a difference of prices, a duration, hours, a date, a word. */
const PARTS = /(¥[\d,]+ – ¥[\d,]+|[高低] ¥[\d,]+。?|约\d+分钟|\d\d:\d\d–\d\d:\d\d|\d{4}-\d\d-\d\d|“没有”|合成数据)/

/** Text whose ranges, differences and durations begin a new line rather than break, unless they are wider than a line. */
export function Unbroken({ text }: { text: string }) {
  return (
    <>
      {text.split(PARTS).map((part, i) =>
        i % 2 === 0 ? (
          part
        ) : (
          <View key={part} className='ui-unbroken'>
            {part}
          </View>
        ),
      )}
    </>
  )
}
