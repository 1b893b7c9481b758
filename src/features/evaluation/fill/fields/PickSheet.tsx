import { ScrollView, View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import type { Option } from '@/contract/form/types'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Chip } from '@/ui/Chip/Chip'
import { Empty } from '@/ui/Empty/Empty'
import { SearchBar } from '@/ui/SearchBar/SearchBar'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { groupsOf, searchOptions } from './search'
import './PickSheet.scss'

/** rows rendered before 显示更多, since each costs rendering time in a mini-program */
const FIRST_ROWS = 40
const ALL = '全部'

interface Props {
  open: boolean
  onClose: () => void
  title: string
  options: readonly Option[]
  chosen: readonly string[]
  onToggle: (v: string) => void
  maxItems?: number | undefined
  /** details of a chosen option, shown under it */
  detail?: ((option: Option) => ReactNode) | undefined
  /** option to scroll to when opened */
  showing?: string | undefined
}

const anchorOf = (v: string) => `pick-${v}`

/** Full-screen multiple choice from a dictionary: search by name or pinyin, headings as filters. */
export function PickSheet(p: Props) {
  const { open, onClose, title, chosen, maxItems } = p
  const full = maxItems !== undefined && chosen.length >= maxItems
  const limit = maxItems === undefined ? '' : ` / ${maxItems}`
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      full
      showing={p.showing === undefined ? undefined : anchorOf(p.showing)}
      foot={
        <View className='ui-pick__foot'>
          <View className='ui-pick__count' {...a11y('status')}>
            {full ? `最多选 ${maxItems} 个` : `已选 ${chosen.length}${limit}`}
          </View>
          <View className='ui-pick__done'>
            <Button block onClick={onClose}>
              完成
            </Button>
          </View>
        </View>
      }
    >
      <Finder {...p} full={full} />
    </Sheet>
  )
}

function Finder({ options, chosen, onToggle, detail, full, title, showing }: Props & { full: boolean }) {
  const [word, setWord] = useState('')
  const [group, setGroup] = useState(ALL)
  const [rows, setRows] = useState(() => Math.max(FIRST_ROWS, 1 + options.findIndex(({ v }) => v === showing)))
  const inGroup = options.filter((o) => group === ALL || o.group === group)
  const found = searchOptions(word ? options : inGroup, word)
  return (
    <View>
      <View className='ui-pick__head'>
        <SearchBar value={word} onChange={setWord} placeholder='搜索名称、拼音或首字母' />
        {word ? null : <Filter groups={groupsOf(options)} value={group} onChange={setGroup} />}
      </View>
      {found.length === 0 ? <Empty art='search' text='没有找到，换个词试试' /> : null}
      <View {...a11y('group', { label: title })}>
        {found.slice(0, rows).map((option) => {
          const on = chosen.includes(option.v)
          return (
            <View key={option.v} id={anchorOf(option.v)} className='ui-pick__row'>
              <Choice kind='checkbox' on={on} disabled={!on && full} onClick={() => onToggle(option.v)}>
                {option.t}
              </Choice>
              {on && detail ? <View className='ui-pick__detail'>{detail(option)}</View> : null}
            </View>
          )
        })}
      </View>
      {found.length > rows ? (
        <Button kind='ghost' block onClick={() => setRows(rows + 2 * FIRST_ROWS)}>
          {`显示更多（还有 ${found.length - rows} 个）`}
        </Button>
      ) : null}
    </View>
  )
}

interface FilterProps {
  groups: readonly string[]
  value: string
  onChange: (group: string) => void
}

function Filter({ groups, value, onChange }: FilterProps) {
  if (groups.length < 2) return null
  return (
    <ScrollView scrollX enhanced showScrollbar={false} className='ui-pick__filter'>
      <View className='ui-pick__chips' {...a11y('tablist', { label: '分类' })}>
        {[ALL, ...groups].map((group) => (
          <View key={group} className='ui-pick__chip'>
            <Chip role='tab' selected={group === value} onClick={() => onChange(group)}>
              {group}
            </Chip>
          </View>
        ))}
      </View>
    </ScrollView>
  )
}
