import { View } from '@tarojs/components'
import { useMemo } from 'react'
import { api } from '@/api'
import type { AutoTask } from '@/contract/types'
import { toDeviceTime } from '@/lib/clock'
import { useNow } from '@/lib/useNow'
import { album } from '@/platform/album'
import { device } from '@/platform/device'
import { dialog } from '@/platform/dialog'
import { ConfirmBack } from '@/router/ConfirmBack'
import { nav } from '@/router/nav'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Picture } from '@/ui/Picture/Picture'
import { Progress } from '@/ui/Progress/Progress'
import { Steps } from '@/ui/Steps/Steps'
import { copy } from './copy'
import './collection.scss'

/** Errors need no handling here: the api has shown them, and the next poll shows the state. */
const nothing = () => undefined

interface Props {
  task: AutoTask
  onActed: (task: AutoTask) => void
}

const act = ({ gameId, taskId }: AutoTask, action: 'CANCEL' | 'REFRESH_QR') =>
  api.evaluation.taskCreate({ gameId, loginType: 'QR', taskId, action })

/** QR code with its lifetime, and how to scan it on the same phone. `title`: shown when it is the alternative. */
function QrCode({ task, onActed, title }: Props & { title: string | undefined }) {
  const { qrImage = '', qrExpireAt = 0, now } = task
  const until = useMemo(() => toDeviceTime(qrExpireAt, now), [qrExpireAt, now])
  const left = Math.max(0, Math.ceil((until - useNow(until)) / 1000))
  return (
    <>
      <Card title={title}>
        <View className='collection-qr'>
          <Picture className='collection-qr__image' src={qrImage} showMenuByLongpress alt={copy.qrAlt} />
          <View className='collection-qr__left'>{copy.qrLeft(left)}</View>
          <View className='collection-qr__row'>
            <Button kind='secondary' size='s' onClick={() => void album.save(qrImage, `read-${task.taskId}.png`)}>
              {copy.saveQr}
            </Button>
            <Button kind='ghost' size='s' onClick={() => void act(task, 'REFRESH_QR').then(onActed, nothing)}>
              {copy.newQr}
            </Button>
          </View>
        </View>
      </Card>
      <Card title={copy.howTo}>
        <Steps items={copy.howToSteps} />
      </Card>
    </>
  )
}

const titleOf = ({ status }: AutoTask) =>
  status === 'WAIT_SCAN' ? copy.title.ASK : status === 'VALUING' ? copy.title.VALUE : copy.title.READ

/** The collection continues in the background. */
const confirmLeave = () =>
  dialog.confirm({
    title: copy.leaveTitle,
    content: copy.leaveAsk,
    confirmText: copy.leaveYes,
    cancelText: copy.stay,
  })

/** Cancels the collection and continues with manual input; the draft is kept. */
async function fillInstead(task: AutoTask) {
  const { otherWay: title, otherWayAsk: content, otherWayYes: confirmText, keepOn: cancelText } = copy
  if (!(await dialog.confirm({ title, content, confirmText, cancelText }))) return
  await act(task, 'CANCEL').then(({ gameId }) => nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' }), nothing)
}

/** Whether the user can authorise on this device. */
const canAuthoriseHere = ({ status, webviewUrl }: AutoTask) =>
  device.handheld() && webviewUrl !== undefined && (status === 'WAIT_SCAN' || status === 'SCANNED')

/** Opens the game's page, which `WebScreen` closes when the collection continues. */
const openPage = ({ webviewUrl: url, taskId }: AutoTask) =>
  void nav.to('webview', { url, title: copy.openHere, taskId })

/** On a phone, which cannot scan its own screen, the game's page precedes the QR code. */
const OpenOnThisDevice = ({ task }: Pick<Props, 'task'>) => (
  <Card>
    <Button size='l' block onClick={() => openPage(task)}>
      {copy.openHere}
    </Button>
    <View className='collection-here__note'>{copy.openHereNote}</View>
  </Card>
)

/** A running collection: instructions, progress and exits. */
export function CollectionProgress({ task, onActed }: Props) {
  const { webviewUrl, steps, step, progress } = task
  const canOpenHere = canAuthoriseHere(task)
  async function cancel() {
    const sure = await dialog.confirm({
      title: copy.cancel,
      content: copy.cancelAsk,
      confirmText: copy.cancel,
      cancelText: copy.keepOn,
    })
    if (sure) await act(task, 'CANCEL').then(onActed, nothing)
  }
  return (
    <>
      <View className='collection-now' {...a11y('status')}>
        <View className='collection-now__title'>{titleOf(task)}</View>
        <View className='collection-now__note'>{copy.leaveNote}</View>
      </View>
      {canOpenHere ? <OpenOnThisDevice task={task} /> : null}
      {task.qrImage ? <QrCode task={task} onActed={onActed} title={canOpenHere ? copy.orScan : undefined} /> : null}
      <Card>
        <View className='collection-progress'>
          <Progress done={progress} total={100} label={copy.progress} percent />
        </View>
        <Steps items={steps.map((title) => ({ title }))} current={steps.indexOf(step)} />
      </Card>
      <ConfirmBack confirm={confirmLeave} />
      <Card flush>
        {webviewUrl && !canOpenHere ? <Cell icon='scan' title={copy.openHere} onClick={() => openPage(task)} /> : null}
        <Cell icon='edit' title={copy.otherWay} note={copy.otherWayNote} onClick={() => void fillInstead(task)} />
        <Cell icon='close' title={copy.cancel} onClick={() => void cancel()} />
        <Cell icon='home' title={copy.leave} onClick={() => void nav.home()} />
      </Card>
    </>
  )
}
