import { View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import { useCall } from '@/api/useCall'
import { APP_VERSION, VERSION_CODE } from '@/contract/constants'
import type { UserInfo } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { updates } from '@/platform/update'
import { nav } from '@/router/nav'
import { buildUrl } from '@/router/params'
import { clearCache } from '@/session/clearCache'
import { appState } from '@/session/store'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { Switch } from '@/ui/Switch/Switch'
import { copy } from './copy'
import { logout } from './logout'
import { DataExportCell } from './parts/DataExportCell'
import { Devices } from './parts/Devices'
import { PriceAlertThreshold } from './parts/PriceAlertThreshold'
import { ProfileCell } from './parts/ProfileCell'
import { WithdrawCells } from './parts/WithdrawCells'
import { type Toggle, useSettings } from './useSettings'
import './SettingScreen.scss'

const words = copy.setting
const open = (key: string) => () => void nav.to('article', { key })

interface Props {
  /** shows and changes the number, by another feature */
  mobileCell: (user: UserInfo, onChanged: () => void) => ReactNode
  /** the way to cancel the account, which is another feature's */
  off: ReactNode
}

interface SecurityProps extends Pick<Props, 'mobileCell'> {
  user: UserInfo
  devices: number
  onDevices: () => void
  onChanged: () => void
}

function Security({ user, devices, onDevices, onChanged, mobileCell }: SecurityProps) {
  return (
    <Card flush title={words.account}>
      <ProfileCell user={user} onChanged={onChanged} />
      {user.mobileMasked ? (
        mobileCell(user, onChanged)
      ) : (
        <Cell
          title={words.mobile}
          value={words.bindMobile}
          onClick={() => void nav.to('loginWxSms', { bind: '1', redirect: buildUrl('mineSetting') })}
        />
      )}
      <Cell
        title={words.realName}
        value={words.realNames[user.realName.status]}
        onClick={() => void nav.to(user.realName.status === 'PASSED' ? 'mineRealNameResult' : 'mineRealName')}
      />
      <Cell
        title={user.hasPassword ? words.changePassword : words.setPassword}
        onClick={() => void nav.to('mineSettingPassword', user.hasPassword ? {} : { first: '1' })}
      />
      <Cell title={words.devices} value={String(devices)} onClick={onDevices} />
    </Card>
  )
}

interface ToggleProps {
  name: Toggle
  settings: UserInfo['settings']
  onToggle: (key: Toggle, value: boolean) => void
}

const ToggleRow = ({ name, settings, onToggle }: ToggleProps) => (
  <Cell
    title={words[name]}
    note={name === 'showAsExample' ? words.showAsExampleHelp : undefined}
    value={<Switch name={words[name]} value={settings[name] === true} onChange={(value) => onToggle(name, value)} />}
  />
)

function Version() {
  const { data } = useCall('app', 'latestVersion', { platform: appState().platform })
  if (!data || data.code <= VERSION_CODE)
    return <Cell title={words.version} value={data ? words.newest(APP_VERSION) : APP_VERSION} />
  return (
    <Cell
      title={words.version}
      value={words.newer(data.version)}
      note={data.note || undefined}
      onClick={() => updates.get(data.url)}
    />
  )
}

async function clear() {
  const { clearTitle: title, clearBody: content, clearYes: confirmText } = words
  if (!(await dialog.confirm({ title, content, confirmText }))) return
  clearCache()
  dialog.toast(words.cleared)
}

/** The account and this device. */
export function SettingScreen({ mobileCell, off }: Props) {
  const { load, devices, settings, change, signOut } = useSettings()
  const [listed, setListed] = useState(false)
  const toggle = (key: Toggle, value: boolean) => void change(key, value)
  return (
    <View className='setting'>
      <LoadBoundary load={load} skeleton={<SkeletonRows rows={6} />}>
        {(user) => (
          <>
            <Security
              user={user}
              devices={devices.length}
              onDevices={() => setListed(true)}
              onChanged={() => void load.reload()}
              mobileCell={mobileCell}
            />
            <Card flush title={words.notices}>
              <ToggleRow name='pushReport' settings={settings ?? user.settings} onToggle={toggle} />
              <ToggleRow name='pushActivity' settings={settings ?? user.settings} onToggle={toggle} />
              <PriceAlertThreshold
                value={(settings ?? user.settings).priceMove}
                onChange={(percent) => void change('priceMove', percent)}
              />
            </Card>
            <Card flush title={words.privacy}>
              <ToggleRow name='showAsExample' settings={settings ?? user.settings} onToggle={toggle} />
              <DataExportCell />
              <WithdrawCells shared={user.sharedPrices} />
            </Card>
            <Devices
              open={listed}
              devices={devices}
              onClose={() => setListed(false)}
              onSignOut={(which, name) => void signOut(which, name)}
            />
          </>
        )}
      </LoadBoundary>
      <Card flush title={words.documents}>
        <Cell title={words.agreement} onClick={open('USER_AGREEMENT')} />
        <Cell title={words.privacyPolicy} onClick={open('PRIVACY')} />
        <Cell title={words.collected} onClick={open('COLLECTED')} />
        <Cell title={words.about} onClick={open('ABOUT')} />
      </Card>
      <Card flush title={words.other}>
        <Cell title={words.clear} onClick={() => void clear()} />
        <Version />
        {off}
      </Card>
      <Card flush>
        <Cell title={copy.logout} danger onClick={() => void logout()} />
      </Card>
    </View>
  )
}
