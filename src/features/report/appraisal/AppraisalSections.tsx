import { View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import { estimate } from '@/contract/format'
import { bindingItemText, comparableKindText, comparableVerdictText, noteVerdictText } from '@/contract/labels'
import { pastDayText } from '@/contract/timeText'
import type { AppraisalDetails, Report } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Tag, type Tone } from '@/ui/Tag/Tag'
import { appraisalsOf, type ChannelAdvice, combinedAdvice, isBargain } from './appraiserStatistics'
import { humanCopy } from './copy'
import './appraisal.scss'

type CombinedPlan = NonNullable<Report['joint']>
type Selling = Pick<AppraisalDetails, 'plan' | 'floorFen'>

const tones: Record<AppraisalDetails['notes'][number]['verdict'], Tone> = { AGREE: 'ok', HIGHER: 'blue', LOWER: 'warn' }

/** The reason for a line's or an account's verdict, unless the list of differences already gives it. */
type ReasonOf = (about: string, why: string) => string
const same: ReasonOf = (_, why) => why

/** Each line of the model's price with the appraiser's verdict and reason. */
function Notes({ notes, title, reasonOf }: { notes: AppraisalDetails['notes']; title: string; reasonOf: ReasonOf }) {
  if (notes.length === 0) return null
  return (
    <Card title={title}>
      {notes.map(({ label, amountFen, ownFen, verdict, why }) => (
        <View key={label} className='hm-row'>
          <View className='hm-row__head'>
            <View className='hm-row__name'>{label}</View>
            <Tag tone={tones[verdict]}>{noteVerdictText[verdict]}</Tag>
          </View>
          {amountFen === undefined && ownFen === undefined ? null : (
            <View className='hm-row__note'>{humanCopy.lineAmounts(amountFen, ownFen)}</View>
          )}
          <View className='hm-row__why'>{reasonOf(label, why)}</View>
        </View>
      ))}
    </Card>
  )
}

/** The judged accounts that are still among the comparables; a training between two appraisals may have replaced some. */
function shownAccounts(list: AppraisalDetails['comparables'], report: Report) {
  const byId = new Map(report.ai?.comparables.map((one) => [one.id, one]))
  return list.flatMap((note) => {
    const one = byId.get(note.id)
    return one ? [{ ...note, one, name: `${comparableKindText[one.kind]} ${estimate(one.priceFen)}` }] : []
  })
}

/** Accounts that the appraiser kept as evidence or excluded, with the reason. */
function ChosenComparables({
  list,
  report,
  title,
  reasonOf,
}: {
  list: AppraisalDetails['comparables']
  report: Report
  title: string
  reasonOf: ReasonOf
}) {
  const rows = shownAccounts(list, report)
  if (rows.length === 0) return null
  return (
    <Card title={title}>
      {rows.map(({ id, verdict, why, one, name }) => (
        <View key={id} className='hm-row'>
          <View className='hm-row__head'>
            <View className='hm-row__name'>{name}</View>
            <Tag tone={verdict === 'KEPT' ? 'ok' : 'plain'} icon={verdict === 'KEPT' ? 'check' : 'close'}>
              {comparableVerdictText[verdict]}
            </Tag>
          </View>
          <View className='hm-row__note'>
            {`${pastDayText(one.at, serverTime())} · ${humanCopy.adjusted(one.adjFen)}`}
          </View>
          <View className='hm-row__why'>{reasonOf(name, why)}</View>
        </View>
      ))}
    </Card>
  )
}

/** The plan of falling prices and the lowest price to accept. */
function SellingPlan({ plan = [], floorFen }: Selling) {
  return (
    <>
      {plan.length > 0 ? (
        <View className='hm-row'>
          <View className='hm-row__name'>{humanCopy.plan}</View>
          {plan.map(({ day, fen }, i) => (
            <View key={day} className='hm-row__why'>
              {humanCopy.planStep(i === 0, day, fen)}
            </View>
          ))}
        </View>
      ) : null}
      {floorFen === undefined ? null : (
        <View className='hm-row'>
          <View className='hm-row__name'>{humanCopy.floor}</View>
          <View className='hm-row__why'>{humanCopy.floorNote(floorFen)}</View>
        </View>
      )}
    </>
  )
}

/** The one decision of two appraisers: the price and plan as the account is, and after what can be mended first. */
function Decision({ report, joint }: { report: Report; joint: CombinedPlan }) {
  const { binding } = report
  const { mended } = joint
  const items = (binding?.items ?? []).flatMap(({ item, gainFen = 0 }) => (gainFen > 0 ? [item] : []))
  const ways = [
    { name: humanCopy.asItIs, first: undefined, ...joint },
    ...(mended ? [{ name: humanCopy.mended(mended.predictFen), first: humanCopy.mendFirst(items), ...mended }] : []),
  ]
  return (
    <>
      {ways.map(({ name, first, plan, floorFen }) => (
        <View key={name} className='hm-row'>
          <View className='hm-row__name'>{name}</View>
          {[
            first,
            ...plan.map(({ day, fen }, i) => humanCopy.planStep(i === 0, day, fen)),
            humanCopy.floorLine(floorFen),
          ].map((line) =>
            line === undefined ? null : (
              <View key={line} className='hm-row__why'>
                {line}
              </View>
            ),
          )}
        </View>
      ))}
    </>
  )
}

/** Characters of another's way to sell through the same channel that are shown without a tap. */
const SHORT_WAY = 40

/** One appraiser's way to sell through a channel. @param joins another's stands above it */
function Way({
  name,
  how,
  feeBp,
  netFen,
  soldFen,
  lessFen,
  fen,
  floorFen,
  joins,
}: ChannelAdvice['ways'][number] & WayProps) {
  const folds = joins && how.length > SHORT_WAY
  const [open, setOpen] = useState(!folds)
  return (
    <>
      {folds ? (
        <Disclosure open={open} onToggle={setOpen} text={open ? humanCopy.wayClose(name) : humanCopy.wayOpen(name)} />
      ) : null}
      {joins && !folds ? <View className='hm-row__note'>{humanCopy.wayOf(name)}</View> : null}
      {open ? (
        <>
          {feeBp === undefined || netFen === undefined ? null : (
            <View className='hm-row__note'>
              {soldFen === undefined
                ? humanCopy.net(feeBp, netFen, fen, lessFen, floorFen)
                : humanCopy.netQuick(feeBp, netFen, soldFen, lessFen, floorFen)}
            </View>
          )}
          <View className='hm-row__why'>{how}</View>
        </>
      ) : null}
    </>
  )
}

interface WayProps {
  /** the report's price */
  fen: number
  /** the lowest price to accept */
  floorFen: number | undefined
  joins: boolean
}

interface AdviceProps {
  title: string
  list: ChannelAdvice[]
  /** for which price it was written, where others have advised on another one */
  notes: string[]
  /** plan and lowest price, above the channels */
  plan: ReactNode
  fen: number
  /** the lowest price to accept */
  floorFen: number | undefined
  /** answers to buyers are shown by a tap: two people's advice is long */
  folds?: boolean
}

/** A part that one tap shows. */
function Folded({ text, close, children }: { text: string; close: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      {open ? children : null}
      <Disclosure open={open} onToggle={setOpen} text={open ? close : text} />
    </>
  )
}

/** A text that names a lowest price of its own, as most name the quick price. */
const LIMIT = /最低\s*¥/

/** How to sell. */
function Advice({ title, list, notes, plan, fen, floorFen, folds = false }: AdviceProps) {
  if (list.length === 0) return null
  const rows = (some: readonly ChannelAdvice[]) =>
    some.map(({ channel, ways }) => (
      <View key={channel} className='hm-row'>
        <View className='hm-row__name'>{channel}</View>
        {ways.map((way) => (
          <Way
            key={`${way.name} ${way.how} ${way.feeBp}`}
            {...way}
            {...{ fen, floorFen }}
            joins={way.name !== ways[0]?.name}
          />
        ))}
      </View>
    ))
  const bargains = folds ? list.filter(isBargain) : []
  return (
    <Card title={title}>
      {notes.map((note) => (
        <View key={note} className='hm-row__note'>
          {note}
        </View>
      ))}
      {plan}
      {floorFen !== undefined && list.some(({ ways }) => ways.some(({ how }) => LIMIT.test(how))) ? (
        <View className='hm-row__note'>{humanCopy.firstLimit}</View>
      ) : null}
      {rows(list.filter((one) => !bargains.includes(one)))}
      {bargains.length > 0 ? (
        <Folded text={humanCopy.bargainsOpen(bargains.length)} close={humanCopy.bargainsClose}>
          {rows(bargains)}
        </Folded>
      ) : null}
    </Card>
  )
}

/** Differences shown without a tap: on which sales each price rests, and the first line. */
const DIFFERENCES_SHOWN = 2

/** Where the appraisers of an expert order differ: in lines and comparables; their prices stand beside their names. */
function Differences({ list, people }: { list: CombinedPlan['differences']; people: number }) {
  const rows = (some: CombinedPlan['differences']) =>
    some.map(({ about, views }) => (
      <View key={about} className='hm-row'>
        <View className='hm-row__name'>{about}</View>
        {views.map((view) => (
          <View key={view} className='hm-row__why'>
            {view}
          </View>
        ))}
      </View>
    ))
  const more = list.slice(DIFFERENCES_SHOWN)
  return (
    <Card title={humanCopy.differences(people)}>
      {list.length === 0 ? <View className='hm-row__why'>{humanCopy.noDifferences}</View> : null}
      {rows(list.slice(0, DIFFERENCES_SHOWN))}
      {more.length > 0 ? (
        <Folded text={humanCopy.differencesOpen(more.length)} close={humanCopy.differencesClose}>
          {rows(more)}
        </Folded>
      ) : null}
    </Card>
  )
}

/** What binding and recovery take off the price, item by item, and what is gained by removing it first. */
function Binding({
  by,
  items,
  costFen,
  gainFen,
  openFen,
  people,
}: NonNullable<Report['binding']> & { people: number }) {
  const unverified = items.filter((one) => one.costFen === 0 && one.evidence === 'NONE')
  // a single one is a row like the others
  const folded = unverified.length > 1 ? unverified : []
  const rows = (some: typeof items) =>
    some.map(({ item, costFen: cost, basis, removal, gainFen: gain, evidence }) => (
      <View key={item} className='hm-row'>
        <View className='hm-row__head'>
          <View className='hm-row__name'>{bindingItemText[item]}</View>
          <Tag tone={cost > 0 ? 'warn' : evidence === 'NONE' ? 'plain' : 'ok'}>
            {humanCopy.bindingCost(cost, evidence === 'NONE')}
          </Tag>
        </View>
        {evidence === 'SEEN' ? <View className='hm-row__note'>{humanCopy.bindingSeen}</View> : null}
        <View className='hm-row__why'>{basis}</View>
        {removal ? <View className='hm-row__why'>{humanCopy.bindingRemoval(removal, gain)}</View> : null}
      </View>
    ))
  return (
    <Card title={humanCopy.binding}>
      <View className='hm-row__note'>{humanCopy.bindingBy(by)}</View>
      {rows(items.filter((one) => !folded.includes(one)))}
      {folded.length > 0 ? (
        <View className='hm-row'>
          <View className='hm-row__name'>{humanCopy.unverified(folded.map(({ item }) => bindingItemText[item]))}</View>
          <Folded text={humanCopy.unverifiedOpen} close={humanCopy.unverifiedClose}>
            {rows(folded)}
          </Folded>
        </View>
      ) : null}
      <View className='hm-row'>
        <View className='hm-row__name'>{humanCopy.bindingTotal(costFen, gainFen, unverified.length)}</View>
        {costFen === openFen ? null : (
          <View className='hm-row__why'>{humanCopy.bindingDeducted(costFen - openFen)}</View>
        )}
      </View>
      {openFen > 0 ? (
        <View className='hm-row'>
          <View className='hm-row__name'>{humanCopy.bindingOpen(openFen)}</View>
          <View className='hm-row__why'>{humanCopy.bindingOpenNote(people)}</View>
        </View>
      ) : null}
    </Card>
  )
}

interface OpinionsProps {
  name: string
  details: AppraisalDetails
  report: Report
  /** number of appraisers in the report */
  people: number
}

/**
 * What one of several appraisers said about lines and comparables, folded because their prices, and for the owner the
 * decision and the differences, stand above.
 */
function Opinions({ name, details, report, people }: OpinionsProps) {
  const [open, setOpen] = useState(false)
  const differences = report.joint?.differences ?? []
  const reasonOf: ReasonOf = (about, why) =>
    differences.some(
      (one) =>
        one.about.endsWith(about) &&
        one.views.some((view) => view.startsWith(`${name}：`) && view.endsWith(`。${why}`)),
    )
      ? humanCopy.reasonAbove(people)
      : why
  return (
    <>
      <Card title={humanCopy.opinionsOf(name)}>
        <View className='hm-ai hm-row__note'>
          {humanCopy.opinionsCount(details.notes.length, shownAccounts(details.comparables, report).length)}
        </View>
        <Button kind='secondary' size='s' onClick={() => setOpen(!open)}>
          {open ? humanCopy.opinionsClose(name) : humanCopy.opinionsOpen(name)}
        </Button>
      </Card>
      {open ? (
        <>
          <Notes notes={details.notes} title={humanCopy.notesOf(name)} reasonOf={reasonOf} />
          <ChosenComparables
            list={details.comparables}
            report={report}
            title={humanCopy.comparablesOf(name)}
            reasonOf={reasonOf}
          />
        </>
      ) : null}
    </>
  )
}

/**
 * Everything the appraisers delivered beside the price, by appraiser; of an expert order one plan to sell. How to sell comes
 * before the many reasons: it is what the owner acts on, and what the services differ in most.
 */
export function AppraisalSections({ report }: { report: Report }) {
  const appraisals = appraisalsOf(report)
  const people = appraisals.length
  const alone = people === 1
  const { joint, appraiser, price, binding } = report
  return (
    <>
      {joint ? (
        <Advice
          title={humanCopy.combinedAdvice(people)}
          list={combinedAdvice(appraisals)}
          notes={[humanCopy.combinedNote]}
          plan={<Decision report={report} joint={joint} />}
          fen={price.predictFen}
          floorFen={joint.floorFen}
          folds
        />
      ) : null}
      {binding ? <Binding {...binding} people={people} /> : null}
      {joint ? <Differences list={joint.differences} people={people} /> : null}
      {appraisals.map(({ name, details }) => (
        <View key={name}>
          {joint ? null : (
            <Advice
              title={alone ? humanCopy.advice : humanCopy.adviceOf(name)}
              list={combinedAdvice([{ name, details }])}
              notes={alone || details !== appraiser?.work ? [] : [humanCopy.adviceMain(price.predictFen)]}
              plan={details === appraiser?.work ? <SellingPlan {...details} /> : null}
              fen={price.predictFen}
              floorFen={details === appraiser?.work ? details.floorFen : undefined}
            />
          )}
          {alone ? (
            <>
              <Notes notes={details.notes} title={humanCopy.notes} reasonOf={same} />
              <ChosenComparables
                list={details.comparables}
                report={report}
                title={humanCopy.comparables}
                reasonOf={same}
              />
            </>
          ) : (
            <Opinions name={name} details={details} report={report} people={people} />
          )}
        </View>
      ))}
    </>
  )
}
