import { aiTimeText, fromYuan, tileColour } from '@/contract/format'
import { bannersHere } from '@/contract/sale'
import type { Banner, GameItem, OpenPayStatus } from '@/contract/types'
import { type Html, html } from '../desk/html'
import { icon, nav, script, tag, tap } from './parts'

/** What the first screen of the home page shows; what could not be had in time is left to the app. */
export interface HomeData {
  games?: readonly GameItem[] | undefined
  banners?: readonly Banner[] | undefined
  status?: OpenPayStatus | undefined
}

const evaluation = (mode: 'AI' | 'MANUAL') => `/pages/evaluation/index?mode=${mode}`

const hero = html`<div class="home-hero"><div class="home-hero__head">您的游戏账号，值多少？</div>
<div class="home-hero__sub">对比同类成交，估价有据可查</div>${tap(
  'home-search',
  evaluation('AI'),
  html`${icon('search')}<div class="home-search__text">搜索游戏</div>`,
  '搜索游戏',
)}</div>`

/**
 * The newest form of whoever is signed in on this device (src/session/drafts.ts keeps them). It runs before anything
 * below it has been read: a page that comes in pieces is never painted without that place and moved afterwards.
 */
export const draftScript = `try{(function(p,g){
var u=(p('session')||{data:{}}).data.userId||'anon',
d=p('drafts').filter(function(k){return k.indexOf('draft:'+u+':')===0}).map(p).sort(function(a,b){return b.savedAt-a.savedAt})[0];
g.querySelector('.home-go__note').textContent=d.gameName+' · '+(d.mode==='AI'?'AI ':'人工')+'估价 · 已填 '+d.done+'/'+d.total;
g.href='/pages/evaluation/fillInInfo/index?gameId='+encodeURIComponent(d.gameId)+'&mode='+d.mode;g.hidden=false
})(function(k){return JSON.parse(localStorage.getItem('gav.'+k))},document.getElementById('first-go'))}catch(e){}`

/** The place of a form begun earlier: known to this device only, so `draftScript` fills it in. */
const draft = html`<a class="f ui-tap home-go" id="first-go" hidden><div class="ui-tile ui-tile--m"></div><div class="home-go__body">
<div class="home-go__title">您有一份未完成的估价</div><div class="home-go__note"></div></div>
<div class="home-go__act">继续${icon('chevron-right', 's')}</div>${script(draftScript)}</a>`

const entry = (mark: string, title: string, note: string, soon: boolean) => html`<div class="home-entry__top">
<div class="home-entry__mark">${icon(mark)}</div>${soon && tag('pink', '即将开放')}</div>
<div class="home-entry__title">${title}</div><div class="home-entry__note">${note}</div>`

const manualNote = (fromFen: number | undefined) => (fromFen === undefined ? '估价师逐项核对' : fromYuan(fromFen))

const entries = (status: OpenPayStatus | undefined) => html`<div class="home-entries">
${tap('home-entry', evaluation('AI'), entry('robot', 'AI 估价', `免费 · ${aiTimeText}出结果`, false))}
${tap('home-entry home-entry--pink', evaluation('MANUAL'), entry('expert', '人工估价', manualNote(status?.manualFromFen), status?.manual === false))}</div>`

function game({ gameId, name, status }: GameItem): Html {
  const open = status === 'ONLINE'
  const inside = html`<div class="ui-tile ui-tile--l ui-tile--c${tileColour(gameId)}" aria-hidden="true">${[...name][0] ?? '？'}</div>
<div class="home-game__name">${name}</div>${!open && html`<div class="home-game__off">维护中</div>`}`
  const id = encodeURIComponent(gameId)
  if (open) return tap('home-game', `/pages/evaluation/fillInInfo/index?gameId=${id}&mode=AI`, inside)
  return html`<div class="ui-tap home-game">${inside}</div>`
}

const hot = (games: readonly GameItem[]) => html`<div class="ui-card"><div class="ui-card__head">
<div class="ui-card__title">热门游戏</div><div class="ui-card__extra">${tap('home-more', evaluation('AI'), html`更多${icon('chevron-right', 's')}`, '更多热门游戏')}</div></div>
${games.length > 0 ? html`<div class="home-games">${games.map(game)}</div>` : html`<div class="home-none">暂时没有可估价的游戏</div>`}</div>`

/** Addresses that staff typed were checked when they were; only these two kinds lead anywhere. */
const hrefOf = ({ link, linkType, title = '' }: Banner) =>
  linkType === 'WEB' ? `/pages/home/webview/index?${new URLSearchParams({ url: link, title })}` : link || '/'

const picture = (one: Banner, i: number) =>
  tap(
    'home-banner',
    hrefOf(one),
    html`<div class="home-banner__img"><img class="f-img" src="${one.image}" alt=""${i > 0 && html` loading="lazy"`}></div>
<div class="home-banner__text">${one.title}</div>`,
  )

const line = (one: Banner) =>
  tap(
    'home-notice',
    hrefOf(one),
    html`${icon('bell', 's')}<div class="home-notice__text">${one.title}</div>${one.linkType !== 'NONE' && icon('chevron-right', 's')}`,
  )

function bannersOf(all: readonly Banner[]): Html {
  const pictures = all.filter(({ image }) => image !== '')
  return html`${all.filter(({ image }) => image === '').map(line)}
${pictures.length > 0 && html`<div class="f-row home-banners">${pictures.map(picture)}</div>`}`
}

const tabs = [
  ['首页', 'home-fill', '/'],
  ['估价', 'chart', '/pages/evaluation/index'],
  ['我的', 'user', '/pages/mine/index'],
] as const

const tabBar = html`<div class="ui-tabs"><div class="ui-tabs__row">${tabs.map(([text, name, href], i) =>
  tap(
    i === 0 ? 'ui-tabs__tab ui-tabs__tab--on' : 'ui-tabs__tab',
    href,
    html`<div class="ui-tabs__icon">${icon(name, 'l')}</div><div class="ui-tabs__text">${text}</div>
<div class="${i === 0 ? 'ui-tabs__spot ui-tabs__spot--on' : 'ui-tabs__spot'}"></div>`,
  ),
)}</div><div class="ui-tabs__safe"></div></div>`

/**
 * The first screen of the home page as the app will draw it: same classes, same words, plain links
 * (first-home.h5.test.tsx compares the two). The app takes it away when its own stands.
 */
export const firstHome = ({
  games,
  banners,
  status,
}: HomeData): Html => html`<div id="first"><div class="ui-page">${nav('游戏账号估价专家')}
<div class="ui-page__body"><div class="home">${hero}${draft}${entries(status)}${games && hot(games)}${banners && bannersOf(bannersHere(banners, status))}</div></div>${tabBar}</div></div>`
