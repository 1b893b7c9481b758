import { renderToStaticMarkup } from 'react-dom/server'
import type { Load } from '@/api/useLoad'
import { type HomeData, ownerHash, type ReportData, type SsrRenderer } from '@/contract/ssr'
import { copy as home } from '@/features/home/copy'
import { HomeView } from '@/features/home/HomeView'
import { ContinueDraft } from '@/features/home/parts/ContinueDraft'
import { copy } from '@/features/report/copy'
import { VisitorActions } from '@/features/report/parts/VisitorActions'
import { ReportTop } from '@/features/report/ReportTop'
import { Consent } from '@/router/Consent'
import { buildUrl } from '@/router/params'
import { tabs } from '@/router/routes'
import { Page } from '@/ui/Page/Page'
import { setLinkHandler } from '@/ui/Pressable/Pressable'
import { TabBar } from '@/ui/TabBar/TabBar'
import { style, View } from './components'
import { consentScript, draftScript, ownerScript, Script } from './scripts'

/**
 * First screens, drawn by the app's own components for a server: it takes them out of the built file (config/ssr-bundle.ts).
 * They are drawn for anybody, so nothing here may ask a port or the session.
 */

/** Insets are zero here: in browsers the styles handle safe areas. */
const frame = { statusBar: 0, bottom: 0 }

/** A load with its data, or still loading without it. */
const loaded = <T,>(data: T | undefined): Load<T> => ({
  data,
  loading: data === undefined,
  reload: () => Promise.resolve(),
})

/** Placeholder for an unfinished form, filled in by an inline script because only the device knows it. */
const draft = (
  <div hidden>
    <ContinueDraft
      draft={{ gameId: '', gameName: '', mode: 'AI', done: 0, total: 0 }}
      tile={<View className='ui-tile ui-tile--m' />}
    />
    <Script code={draftScript} />
  </div>
)

/** The question of the first launch, shown by an inline script to who has not answered it; the app's own replaces it. */
const consent = (
  <div hidden>
    <Consent onAnswer={() => undefined} onRead={() => undefined} />
    <Script code={consentScript} />
  </div>
)

const Home = ({ games, banners, samples, status }: HomeData) => (
  <div id='first'>
    <Page
      frame={frame}
      title={home.product}
      wide
      tabBar={<TabBar selected={0} hrefs={tabs.map((name) => buildUrl(name))} />}
    >
      <HomeView hot={loaded(games)} banners={banners} samples={samples} status={status} draft={draft} />
      {consent}
    </Page>
  </div>
)

const Report = ({ report, reader, now, owner }: ReportData) => (
  <div id='first' {...(owner && { 'data-no': report.reportNo, 'data-owner': ownerHash(report.reportNo, owner) })}>
    {owner ? <Script code={ownerScript} /> : null}
    <Page frame={frame} title={copy.title} home={buildUrl('home')} bare={reader === 'FRAME'} wide>
      <View className='rp'>
        <ReportTop report={report} now={now} readOnly={reader !== 'FRIEND'} />
      </View>
      {reader === 'FRAME' ? null : <VisitorActions />}
    </Page>
  </div>
)

setLinkHandler({ link: (href) => ({ href }) })

export const ssrRenderer: SsrRenderer = {
  style,
  scripts: [draftScript, ownerScript, consentScript],
  home: (data) => renderToStaticMarkup(<Home {...data} />),
  report: (data) => renderToStaticMarkup(<Report {...data} />),
}
