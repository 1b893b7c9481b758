import { View } from '@tarojs/components'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Picture } from '@/ui/Picture/Picture'
import { appraisersOf, type ReportAppraiser, statisticsOf } from './appraiserStatistics'
import { humanCopy } from './copy'
import './appraisal.scss'

/** The appraiser's portrait, or the first character of the name. */
function Portrait({ avatar, name }: ReportAppraiser) {
  return avatar ? (
    <Picture className='hm-face' src={avatar} alt='' mode='aspectFill' />
  ) : (
    <View className='hm-face hm-face--none'>{Array.from(name)[0]}</View>
  )
}

function Appraiser(appraiser: ReportAppraiser) {
  return (
    <>
      <View className='hm-person'>
        <Portrait {...appraiser} />
        <View className='hm-person__body'>
          <View className='hm-person__name'>
            {appraiser.name}
            <View className='hm-person__no'>{appraiser.no}</View>
          </View>
          {statisticsOf(appraiser).map((line) => (
            <View key={line} className='hm-person__line'>
              {line}
            </View>
          ))}
        </View>
      </View>
      {appraiser.priceFen === undefined ? null : (
        <View className='hm-own'>{humanCopy.ownPrice(appraiser.priceFen)}</View>
      )}
      {appraiser.comment ? <View className='hm-comment'>{appraiser.comment}</View> : null}
    </>
  )
}

/** How the prices of several became the report's. */
const agreedOf = (n: number) => [undefined, humanCopy.mean, humanCopy.middle][n - 1]

/** The appraisers: portrait, years, number of valuations, published accuracy, and comments. */
export function Appraisers({ report }: { report: Report }) {
  const [first, ...others] = appraisersOf(report)
  if (!first) return null
  // a revaluation is one person's work; the others valued the version before
  const [own, before] = report.revised ? [[first], others] : [[first, ...others], []]
  const agreed = agreedOf(own.length)
  return (
    <>
      <Card>
        {own.map((appraiser) => (
          <Appraiser key={appraiser.no} {...appraiser} />
        ))}
        {agreed ? <View className='hm-own'>{agreed}</View> : null}
      </Card>
      {before.length > 0 ? <View className='hm-two'>{humanCopy.revalued}</View> : null}
      {before.map((appraiser) => (
        <Card key={appraiser.no}>
          <Appraiser {...appraiser} />
        </Card>
      ))}
    </>
  )
}
