import { useState } from 'react'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Breakdown } from '../parts/Breakdown'
import { Comparables } from '../parts/Comparables'
import { Confidence } from '../parts/Confidence'
import { PriceImprovements } from '../parts/ReportSections'
import { includedAiReport } from './appraiserStatistics'
import { humanCopy } from './copy'

/** The model's full report, included in the paid service and folded under the appraiser's. */
export function IncludedAiReport({ report }: { report: Report }) {
  const [open, setOpen] = useState(false)
  const ai = includedAiReport(report)
  if (!ai) return null
  return (
    <>
      <Card>
        <Disclosure open={open} onToggle={setOpen} text={open ? humanCopy.aiClose : humanCopy.ai} />
      </Card>
      {open ? (
        <>
          <Confidence report={ai} />
          <Breakdown report={ai} />
          <Comparables report={ai} />
          <PriceImprovements list={ai.raise} />
        </>
      ) : null}
    </>
  )
}
