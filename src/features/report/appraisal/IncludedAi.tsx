import { View } from '@tarojs/components'
import { useState } from 'react'
import { estimate, estimateRange } from '@/contract/format'
import type { Report } from '@/contract/types'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { copy } from '../copy'
import { Breakdown } from '../parts/Breakdown'
import { Comparables } from '../parts/Comparables'
import { Confidence } from '../parts/Confidence'
import { PriceImprovements } from '../parts/ReportSections'
import { includedAiReport } from './appraiserStatistics'
import { humanCopy } from './copy'
import './appraisal.scss'

/** The model's full report, included in the paid service and folded under the appraiser's. */
export function IncludedAiReport({ report }: { report: Report }) {
  const [open, setOpen] = useState(false)
  const ai = includedAiReport(report)
  if (!ai) return null
  const { price, raise = [] } = ai
  return (
    <>
      <Card title={humanCopy.ai}>
        <View className='hm-row__note'>{humanCopy.aiNote}</View>
        <View className='hm-ai'>
          <View className='hm-ai__price'>{estimate(price.predictFen)}</View>
          <View className='hm-row__note'>{humanCopy.aiRange(estimateRange(price.lowFen, price.highFen))}</View>
          <View className='hm-row__note'>{copy.threePrices(price.quickFen, price.listFen)}</View>
        </View>
        <Button kind='secondary' size='s' onClick={() => setOpen(!open)}>
          {open ? humanCopy.aiClose : humanCopy.aiOpen}
        </Button>
      </Card>
      {open ? (
        <>
          <Confidence report={ai} />
          <Breakdown report={ai} />
          <Comparables report={ai} />
          {raise.length > 0 ? <PriceImprovements list={raise} /> : null}
        </>
      ) : null}
    </>
  )
}
