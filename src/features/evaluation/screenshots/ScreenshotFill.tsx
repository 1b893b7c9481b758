import { View } from '@tarojs/components'
import { useEffect, useRef } from 'react'
import { usePictures, usePictureUrls } from '@/api/usePictures'
import { isEmpty, labelOf } from '@/contract/form/answers'
import type { Field, FormConfig } from '@/contract/form/types'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Chip } from '@/ui/Chip/Chip'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { Notice } from '@/ui/Notice/Notice'
import { Picture } from '@/ui/Picture/Picture'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Sheet } from '@/ui/Sheet/Sheet'
import { Skeleton, SkeletonBlock } from '@/ui/Skeleton/Skeleton'
import { Tag } from '@/ui/Tag/Tag'
import type { FillFormState } from '../fill/useFillForm'
import { copy } from './copy'
import { PicturePiece } from './PicturePiece'
import { type Screenshots, useReading } from './useScreenshots'
import './screenshots.scss'

const MAX = 9
const SCENE = 'SCREENSHOT'

/** The way in: a sheet in which pictures are chosen. */
export function ScreenshotEntry({ shots }: { shots: Screenshots }) {
  const { open, setOpen } = shots
  return (
    <>
      <Chip onClick={() => setOpen(true)}>{copy.entry}</Chip>
      <Sheet open={open} onClose={() => setOpen(false)} title={copy.title} inset>
        {open ? <PictureSheet shots={shots} /> : null}
      </Sheet>
    </>
  )
}

/** Choosing, uploading and reading. Choosing starts with the sheet, reading with the last upload. */
function PictureSheet({ shots }: { shots: Screenshots }) {
  const { keys, setKeys } = shots
  const { picker, pending } = usePictures({ scene: SCENE, keys, onKeys: setKeys, max: MAX })
  useReading(shots, keys, pending !== undefined)
  const first = useRef(keys.length === 0 ? picker.onAdd : undefined)
  useEffect(() => first.current?.(), [])
  return (
    <View className='shots'>
      <ImagePicker label={copy.pictures} help={copy.help} {...picker} />
      <ReadState shots={shots} />
    </View>
  )
}

/** What becomes of the pictures: how far they are read, why they cannot be, or what they show instead. */
export function ReadState({ shots: { keys, done, busy, failure, read, start } }: { shots: Screenshots }) {
  const again = { text: copy.again, onClick: () => void start(keys) }
  if (busy)
    return (
      <View className='shots__busy'>
        <View className='shots__step'>{copy.reading(done, keys.length)}</View>
        <Skeleton>
          {keys.map((key) => (
            <SkeletonBlock key={key} w={60} />
          ))}
        </Skeleton>
      </View>
    )
  if (failure) return <Notice tone='bad' text={failure} action={again} />
  if (!read || Object.keys(read.answers).length > 0) return null
  const other = { text: copy.otherGame, onClick: () => void nav.redirect('evaluationChooseGame', {}) }
  return <Notice tone='warn' text={read.note ?? copy.nothing} action={read.note?.startsWith('像是') ? other : again} />
}

interface Props {
  config: FormConfig
  fill: FillFormState
  /** adds pictures */
  onMore: () => void
}

/** What was read: how much, what is to be confirmed, and where an answer stands. */
export function ReadResult({ config, fill, onMore }: Props) {
  const { keys, read, shown, show } = fill.shots
  const urls = usePictureUrls(keys, SCENE)
  if (!read || Object.keys(read.answers).length === 0) return null
  const asked = config.fields.filter(({ key }) => read.ask.includes(key) && isEmpty(fill.state.answers[key]))
  const field = config.fields.find(({ key }) => key === shown)
  const answer = ({ key, label }: Field, value: string) => {
    const source = read.sources.find((source) => source.field === key)
    const src = source && urls[keys.indexOf(source.key)]
    return (
      <>
        <View className='shots__text'>
          <View className='shots__label'>{label}</View>
          <View className='shots__value'>{value}</View>
        </View>
        {source && src ? <PicturePiece src={src} box={source.box} alt={copy.pieceOf(label)} /> : null}
      </>
    )
  }
  const textFor = (field: Field) => labelOf(config, field, read.answers[field.key])
  return (
    <Card>
      <View className='shots__head'>
        <View className='shots__found'>{copy.found(Object.keys(read.answers).length)}</View>
        {asked.length > 0 ? <Tag tone='warn'>{copy.toCheck(asked.length)}</Tag> : null}
      </View>
      {read.note ? <Notice tone='warn' text={read.note} /> : null}
      <View className='shots__row'>
        <View className='shots__thumbs'>
          {urls.map((url, i) =>
            url ? <Picture key={keys[i]} alt='' className='shots__thumb' mode='aspectFill' src={url} /> : null,
          )}
        </View>
        <Pressable className='shots__more' label={copy.more} onClick={onMore}>
          +
        </Pressable>
      </View>
      <View className='shots__note'>{copy.sources}</View>
      {asked.map((field) => (
        <View key={field.key} className='shots__ask'>
          {answer(field, copy.unsure(textFor(field)))}
          <Button
            size='s'
            kind='secondary'
            label={copy.fillIn(field.label, textFor(field))}
            onClick={() => fill.fillRead({ [field.key]: read.answers[field.key] })}
          >
            {copy.use}
          </Button>
        </View>
      ))}
      <Sheet open={field !== undefined} onClose={() => show(undefined)} title={copy.sourceTitle} inset>
        {field ? <View className='shots__ask'>{answer(field, textFor(field))}</View> : null}
      </Sheet>
    </Card>
  )
}
