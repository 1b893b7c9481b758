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

function Appraiser(one: ReportAppraiser) {
  const { work } = one
  const range = [work.lowFen, work.highFen] as const
  return (
    <>
      <View className='hm-person'>
        <Portrait {...one} />
        <View className='hm-person__body'>
          <View className='hm-person__name'>
            {one.name}
            <View className='hm-person__no'>{one.no}</View>
          </View>
          {statisticsOf(one).map((line) => (
            <View key={line} className='hm-person__line'>
              {line}
            </View>
          ))}
        </View>
      </View>
      {one.intro ? <View className='hm-intro'>{one.intro}</View> : null}
      {one.priceFen === undefined ? null : <View className='hm-own'>{humanCopy.ownPrice(one.priceFen, range)}</View>}
      {one.comment ? <View className='hm-comment'>{one.comment}</View> : null}
    </>
  )
}

/**
 * The appraisers: portrait, years, number of valuations, published accuracy, and comments. Several stand in one place with how
 * their prices became one and the plan they share.
 */
export function Appraisers({ report }: { report: Report }) {
  const all = appraisersOf(report)
  const { appraiser, earlier = [], joint } = report
  const agreed = joint?.decision ?? [undefined, undefined, humanCopy.twoPeople, humanCopy.threePeople][all.length]
  const listFen = joint?.plan[0]?.fen
  return (
    <>
      {all.length > 0 ? (
        <Card title={all.length > 1 ? humanCopy.together(all.length) : undefined}>
          {all.map((one) => (
            <Appraiser key={one.no} {...one} />
          ))}
          {agreed ? <View className='hm-comment'>{agreed}</View> : null}
          {joint && listFen !== undefined ? (
            <View className='hm-own'>{humanCopy.onePlan(listFen, joint.floorFen)}</View>
          ) : null}
        </Card>
      ) : null}
      {appraiser && earlier.length > 0 ? <View className='hm-two'>{humanCopy.revalued(appraiser.name)}</View> : null}
      {earlier.map((one) => (
        <Card key={one.no}>
          <Appraiser {...one} />
        </Card>
      ))}
    </>
  )
}
