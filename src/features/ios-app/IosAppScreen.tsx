import { View } from '@tarojs/components'
import { usePayStatus } from '@/api/usePayStatus'
import { nav } from '@/router/nav'
import { appState } from '@/session/store'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from './copy'
import './IosAppScreen.scss'

function Head() {
  return (
    <View className='ios-head'>
      <View className='ios-head__mark' {...a11y(undefined, { hidden: true })} />
      <View>
        <View className='ios-head__title' {...a11y('heading')}>
          {copy.title}
        </View>
        <View className='ios-head__note'>{copy.note}</View>
      </View>
    </View>
  )
}

interface Offer {
  /** payments are enabled */
  paymentsEnabled: boolean
  manual: boolean
  /** the pay status is known */
  loaded: boolean
}

/** Features that are always available, plus the paid ones where payments are enabled. */
export function IosAppContent({ paymentsEnabled, manual, loaded }: Offer) {
  return (
    <>
      <Head />
      <Card title={copy.value} flush>
        <Cell
          icon='robot'
          title={copy.ai}
          note={copy.aiNote}
          onClick={() => void nav.to('evaluationChooseGame', { mode: 'AI' })}
        />
        {manual ? (
          <Cell
            icon='expert'
            title={copy.manual}
            note={copy.manualNote}
            onClick={() => void nav.to('evaluationChooseGame', { mode: 'MANUAL' })}
          />
        ) : null}
      </Card>
      <Card title={copy.mine} flush>
        <Cell icon='doc' title={copy.reports} onClick={() => void nav.to('mineEvaluationRecords', { tab: 'DONE' })} />
        <Cell icon='bell' title={copy.messages} onClick={() => void nav.to('mineMessage')} />
        {paymentsEnabled ? (
          <Cell icon='ticket' title={copy.coupons} onClick={() => void nav.to('couponCenter')} />
        ) : null}
        <Cell icon='setting' title={copy.settings} onClick={() => void nav.to('mineSetting')} />
      </Card>
      <Card title={copy.learn} flush>
        <Cell icon='trend' title={copy.method} onClick={() => void nav.to('article', { key: 'METHOD' })} />
        <Cell icon='news' title={copy.news} onClick={() => void nav.to('news')} />
        <Cell icon='link' title={copy.guide} onClick={() => void nav.to('listingGuidelines')} />
        <Cell icon='help' title={copy.help} onClick={() => void nav.to('helpCenter')} />
        <Cell icon='headset' title={copy.service} onClick={() => void nav.to('chat')} />
      </Card>
      {loaded && !paymentsEnabled ? <Notice text={copy.less} /> : null}
      <View className='ui-end' />
    </>
  )
}

/** Home of the iOS app (spec §2, go-home helper); does not wait for the server. */
export function IosAppScreen() {
  return <IosAppContent {...usePayStatus(appState().platform)} />
}
