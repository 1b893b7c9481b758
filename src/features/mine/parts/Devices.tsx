import { View } from '@tarojs/components'
import { momentInPastText } from '@/contract/timeText'
import type { Device } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { Button } from '@/ui/Button/Button'
import { Cell } from '@/ui/Cell/Cell'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'

const words = copy.setting

interface Props {
  open: boolean
  devices: readonly Device[]
  onClose: () => void
  onSignOut: (which: string, name?: string) => void
}

/** Devices on which the account is logged in; others can be signed out. */
export function Devices({ open, devices, onClose, onSignOut }: Props) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={words.devices}
      foot={
        devices.length > 1 ? (
          <Button kind='secondary' block onClick={() => onSignOut('OTHERS')}>
            {words.signOutOthers}
          </Button>
        ) : undefined
      }
    >
      <View className='setting__note'>{words.devicesNote}</View>
      {devices.map(({ id, name, seenAt, current }) => (
        <Cell
          key={id}
          title={name}
          note={words.seen(momentInPastText(seenAt, serverTime()))}
          value={
            current ? (
              words.thisDevice
            ) : (
              <Button kind='ghost' size='s' label={`${words.signOut} ${name}`} onClick={() => onSignOut(id, name)}>
                {words.signOut}
              </Button>
            )
          }
        />
      ))}
    </Sheet>
  )
}
