import { RichText, View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import { useCall } from '@/api/useCall'
import { dateText } from '@/contract/format'
import { documentKeyText } from '@/contract/labels'
import type { Document } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonCard } from '@/ui/Skeleton/Skeleton'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy, type DocumentKey, isKey, related } from './copy'
import './ArticleScreen.scss'

interface ContentProps {
  doc: Document
  keys: readonly DocumentKey[]
  /** between the text and the related documents */
  children?: ReactNode
}

function FoldedTables({ html }: { html: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      {open ? <RichText className='doc-body' nodes={html} userSelect /> : null}
      <Disclosure open={open} onToggle={setOpen} text={open ? copy.lessTables : copy.moreTables} />
    </>
  )
}

/** Server-rendered text; its tags carry `doc-…` classes, because rich text cannot be styled by tag. */
export function ArticleContent({ doc, keys, children }: ContentProps) {
  return (
    <>
      <Card className='doc'>
        <View className='doc-title' {...a11y('heading')}>
          {doc.title}
        </View>
        <View className='doc-meta'>
          <Unbroken text={copy.meta(doc.version, dateText(doc.updatedAt))} />
        </View>
        <RichText className='doc-body' nodes={doc.html} userSelect />
        {doc.more ? <FoldedTables html={doc.more} /> : null}
      </Card>
      {children}
      <Card title={copy.related} flush>
        {keys.map((key) => (
          <Cell key={key} title={documentKeyText[key]} onClick={() => void nav.redirect('article', { key })} />
        ))}
      </Card>
    </>
  )
}

function Article({ docKey }: { docKey: DocumentKey }) {
  const load = useCall('app', 'documentGet', { key: docKey })
  return (
    <LoadBoundary load={load} skeleton={<SkeletonCard lines={8} />}>
      {(doc) => <ArticleContent doc={doc} keys={related[docKey]} />}
    </LoadBoundary>
  )
}

/** A document by its key: agreements, method, accuracy. */
export function ArticleScreen({ params: { key } }: ScreenProps<'article'>) {
  if (isKey(key)) return <Article docKey={key} />
  return <Empty art='report' text={copy.missing} action={{ text: copy.home, onClick: () => void nav.home() }} />
}
