import { View } from '@tarojs/components'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { usePictures, usePictureUrls } from '@/api/usePictures'
import { isEmpty, labelOf } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { ReadAnswers } from '@/contract/types'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Chip } from '@/ui/Chip/Chip'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { Notice } from '@/ui/Notice/Notice'
import { Picture } from '@/ui/Picture/Picture'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Sheet } from '@/ui/Sheet/Sheet'
import { Skeleton, SkeletonBlock } from '@/ui/Skeleton/Skeleton'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from './copy'
import { PicturePiece } from './PicturePiece'
import { type Screenshots, sureAnswers, useScreenshots } from './useScreenshots'
import './screenshots.scss'

const MAX = 9
const SCENE = 'SCREENSHOT'

interface Props {
  config: FormConfig
  /** answers of the form */
  answers: Answers
  /** fills empty fields */
  onFill: (answers: Answers) => void
  onAnswer: (key: string, answer: Answers[string]) => void
  /** draws the way in among others; without it, it is a card of its own */
  children?: (entry: ReactNode) => ReactNode
}

/** Fills the form from screenshots: the way in, the pictures, and what was read. */
export function ScreenshotFill({ config, answers, onFill, onAnswer, children }: Props) {
  const [open, setOpen] = useState(false)
  const shots = useScreenshots(config.gameId, (read) => {
    onFill(sureAnswers(read))
    if (Object.keys(read.answers).length > 0) setOpen(false)
  })
  const { keys, read } = shots
  const show = () => setOpen(true)
  const result =
    read && Object.keys(read.answers).length > 0 ? (
      <ReadResult {...{ config, answers, keys, read, onAnswer }} onMore={show} />
    ) : null
  return (
    <>
      {children?.(<Chip onClick={show}>{copy.entry}</Chip>)}
      {result}
      {children || result ? null : (
        <Card flush>
          <Cell icon='camera' title={copy.entry} note={copy.entryNote} onClick={show} />
        </Card>
      )}
      <Sheet open={open} onClose={() => setOpen(false)} title={copy.title} inset>
        {open ? <PictureSheet shots={shots} /> : null}
      </Sheet>
    </>
  )
}

/** Choosing, uploading and reading. Choosing starts with the sheet, reading with the last upload. */
function PictureSheet({ shots }: { shots: Screenshots }) {
  const { keys, setKeys, busy, done, failure, read, start } = shots
  const { picker, pending } = usePictures({ scene: SCENE, keys, onKeys: setKeys, max: MAX })
  const [readKeys, setReadKeys] = useState('')
  const all = keys.join()
  const isReady = pending === undefined && all !== '' && all !== readKeys && !busy
  useEffect(() => {
    if (!isReady) return
    setReadKeys(all)
    void start()
  })
  const first = useRef(keys.length === 0 ? picker.onAdd : undefined)
  useEffect(() => first.current?.(), [])
  const isOther = read?.note?.startsWith('像是') === true
  const action = isOther
    ? { text: copy.otherGame, onClick: () => void nav.redirect('evaluationChooseGame', {}) }
    : { text: copy.again, onClick: () => void start() }
  return (
    <View className='shots'>
      <ImagePicker label={copy.pictures} help={copy.help} {...picker} />
      {busy ? (
        <View className='shots__busy'>
          <View className='shots__step'>{copy.reading(done, keys.length)}</View>
          <Skeleton>
            {keys.map((key) => (
              <SkeletonBlock key={key} w={60} />
            ))}
          </Skeleton>
        </View>
      ) : null}
      {failure ? <Notice tone='bad' text={failure} action={{ text: copy.again, onClick: () => void start() }} /> : null}
      {!busy && !failure && read ? (
        <Notice tone='warn' text={read.note ?? copy.nothing} action={read.note ? action : undefined} />
      ) : null}
    </View>
  )
}

interface ResultProps extends Omit<Props, 'onFill' | 'children'> {
  keys: readonly string[]
  read: ReadAnswers
  onMore: () => void
}

/** What was read: how much, what is to be confirmed, and where each answer stands. */
function ReadResult({ config, answers, keys, read, onAnswer, onMore }: ResultProps) {
  const [open, setOpen] = useState(false)
  const urls = usePictureUrls(keys, SCENE)
  const asked = config.fields.filter(({ key }) => read.ask.includes(key) && isEmpty(answers[key]))
  const found = config.fields.filter(({ key }) => read.answers[key] !== undefined)
  const pieceOf = (field: string) => {
    const source = read.sources.find((source) => source.field === field)
    const src = source && urls[keys.indexOf(source.key)]
    const label = config.fields.find(({ key }) => key === field)?.label ?? ''
    return source && src ? <PicturePiece src={src} box={source.box} alt={copy.pieceOf(label)} /> : null
  }
  return (
    <Card>
      <View className='shots__head'>
        <View className='shots__found'>{copy.found(found.length)}</View>
        {asked.length > 0 ? <Tag tone='warn'>{copy.toCheck(asked.length)}</Tag> : null}
      </View>
      {read.note ? <Notice tone='warn' text={read.note} /> : null}
      <View className='shots__row'>
        <Pressable className='shots__thumbs' label={copy.sourcesOpen} onClick={() => setOpen(true)}>
          {urls.map((url, i) =>
            url ? <Picture key={keys[i]} alt='' className='shots__thumb' mode='aspectFill' src={url} /> : null,
          )}
        </Pressable>
        <Pressable className='shots__more' label={copy.more} onClick={onMore}>
          +
        </Pressable>
      </View>
      <View className='shots__note'>{copy.sources}</View>
      {asked.map((field) => {
        const value = labelOf(config, field, read.answers[field.key])
        return (
          <View key={field.key} className='shots__ask'>
            <View className='shots__text'>
              <View className='shots__label'>{field.label}</View>
              <View className='shots__value'>{copy.unsure(value)}</View>
            </View>
            {pieceOf(field.key)}
            <Button
              size='s'
              kind='secondary'
              label={copy.fillIn(field.label, value)}
              onClick={() => onAnswer(field.key, read.answers[field.key])}
            >
              {copy.use}
            </Button>
          </View>
        )
      })}
      <Sheet open={open} onClose={() => setOpen(false)} title={copy.sourcesTitle} inset>
        {found.map((field) => (
          <View key={field.key} className='shots__ask'>
            <View className='shots__text'>
              <View className='shots__label'>{field.label}</View>
              <View className='shots__value'>{labelOf(config, field, read.answers[field.key])}</View>
            </View>
            {pieceOf(field.key)}
          </View>
        ))}
      </Sheet>
    </Card>
  )
}
