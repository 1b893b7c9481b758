import { Image, View } from '@tarojs/components'
import { useMemo } from 'react'
import { api } from '@/api'
import type { AutoTask } from '@/contract/types'
import { here } from '@/lib/clock'
import { album } from '@/platform/album'
import { dialog } from '@/platform/dialog'
import { AskBack } from '@/router/AskBack'
import { nav } from '@/router/nav'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Progress } from '@/ui/Progress/Progress'
import { Steps } from '@/ui/Steps/Steps'
import { copy } from './copy'
import { useSecondsLeft } from './useTask'
import './read.scss'

/** The api has told the user; the next look shows how it stands. */
const nothing = () => undefined

interface Props {
  task: AutoTask
  onActed: (task: AutoTask) => void
}

const act = ({ gameId, taskId }: AutoTask, action: 'CANCEL' | 'REFRESH_QR') =>
  api.evaluation.taskCreate({ gameId, loginType: 'QR', taskId, action })

/** The code, how long it lives, and how to scan it with the phone it is shown on. */
function Qr({ task, onActed }: Props) {
  const { qrImage = '', qrExpireAt = 0, now } = task
  const left = useSecondsLeft(useMemo(() => here(qrExpireAt, now), [qrExpireAt, now]))
  return (
    <>
      <Card>
        <View className='read-qr'>
          <Image className='read-qr__image' src={qrImage} showMenuByLongpress {...a11y('img', { label: copy.qrAlt })} />
          <View className='read-qr__left'>{copy.qrLeft(left)}</View>
          <View className='read-qr__row'>
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
  status === 'WAIT_SCAN' ? copy.title.QR : status === 'VALUING' ? copy.title.VALUE : copy.title.READ

/** The read goes on without the page. */
const askToLeave = () =>
  dialog.confirm({
    title: copy.leaveTitle,
    content: copy.leaveAsk,
    confirmText: copy.leaveYes,
    cancelText: copy.stay,
  })

/** Typing instead of scanning: this read ends, what was typed is there. */
async function fillInstead(task: AutoTask) {
  const { otherWay: title, otherWayAsk: content, otherWayYes: confirmText, keepOn: cancelText } = copy
  if (!(await dialog.confirm({ title, content, confirmText, cancelText }))) return
  await act(task, 'CANCEL').then(({ gameId }) => nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' }), nothing)
}

/** A read under way: what is to be done, how far it is, and two ways out. */
export function Running({ task, onActed }: Props) {
  const { webviewUrl, steps, step, progress } = task
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
      <View className='read-now' {...a11y('status')}>
        <View className='read-now__title'>{titleOf(task)}</View>
        <View className='read-now__note'>{copy.leaveNote}</View>
      </View>
      {task.qrImage ? <Qr task={task} onActed={onActed} /> : null}
      <Card>
        <View className='read-progress'>
          <Progress done={progress} total={100} label={copy.progress} percent />
        </View>
        <Steps items={steps.map((title) => ({ title }))} current={steps.indexOf(step)} />
      </Card>
      <AskBack ask={askToLeave} />
      <Card flush>
        {webviewUrl ? (
          <Cell
            icon='scan'
            title={copy.openHere}
            onClick={() => void nav.to('webview', { url: webviewUrl, title: copy.openHere })}
          />
        ) : null}
        <Cell icon='edit' title={copy.otherWay} note={copy.otherWayNote} onClick={() => void fillInstead(task)} />
      </Card>
      <ActionBar
        primary={{ text: copy.leave, onClick: () => void nav.home() }}
        secondary={{ text: copy.cancel, onClick: () => void cancel() }}
      />
    </>
  )
}
