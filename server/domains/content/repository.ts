import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { imageSize } from 'image-size'
import type { Document } from '@/contract/types'
import { ContentError, type FrontMatter, parseFront } from './front-matter'
import type { ContentPicture } from './markdown'
import {
  type Channel,
  type HelpGroup,
  type ParsedArticle,
  type Pictures,
  parseArticle,
  parseChannel,
  parseDocument,
  parseHelp,
} from './parse'

/** URL path of the pictures. */
export const PICTURES = '/content/pictures/'
const pictureName = /^[\w-]+\.(webp|avif|jpg|jpeg|png)$/
/** ms between checks of the files */
const POLL_INTERVAL_MS = 2000

/** All content, from the latest valid version of each file. */
export interface ContentRepository {
  /** newest first */
  articles(): ParsedArticle[]
  article(id: string): ParsedArticle | undefined
  help(): HelpGroup[]
  document(key: string): Document | undefined
  /** marketplaces for accounts */
  channels(): Channel[]
  /** names of existing pictures */
  pictures(): string[]
  picture(name: string): ContentPicture | undefined
  /** invalid files and why; their last valid version is still shown */
  issues(): { file: string; reason: string }[]
}

/** Files of one folder, parsed once per change; an invalid file keeps its last valid version. */
class Folder<T> {
  readonly kept = new Map<string, T>()
  readonly issues = new Map<string, string>()
  private stamps = new Map<string, string>()

  constructor(
    private readonly dir: string,
    private readonly fits: RegExp,
    private readonly read: (file: string, name: string) => T,
  ) {}

  /** Checks the files; `anew`: parses all of them, also unchanged ones. @returns whether any has changed */
  look(anew = false): boolean {
    const names = existsSync(this.dir) ? readdirSync(this.dir).filter((name) => this.fits.test(name)) : []
    const stamps = new Map(names.map((name) => [name, this.stamp(name)]))
    const missing = [...this.stamps.keys()].filter((name) => !stamps.has(name))
    for (const name of missing) for (const map of [this.kept, this.issues]) map.delete(name)
    const changed = names.filter((name) => anew || this.stamps.get(name) !== stamps.get(name))
    this.stamps = stamps
    for (const name of changed) this.take(name)
    return changed.length + missing.length > 0
  }

  private stamp(name: string): string {
    const { mtimeMs = 0, size = 0 } = statSync(path.join(this.dir, name), { throwIfNoEntry: false }) ?? {}
    return `${mtimeMs} ${size}`
  }

  private take(name: string) {
    this.issues.delete(name)
    try {
      this.kept.set(name, this.read(path.join(this.dir, name), name))
    } catch (e) {
      this.issues.set(name, e instanceof ContentError ? e.message : '文件读不出来')
    }
  }
}

function readPicture(file: string, name: string): ContentPicture {
  const bytes = readFileSync(file)
  const { width, height } = imageSize(bytes)
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  return { src: `${PICTURES}${name}?v=${version}`, width, height }
}

type Parse<T> = (id: string, front: FrontMatter, picture: Pictures) => T

/** Reads a folder with `articles`, `help`, `documents`, `channels`, `pictures`; changes show within two seconds. */
export function createContentRepository(dir: string, now: () => number = Date.now): ContentRepository {
  const pictures = new Folder(path.join(dir, 'pictures'), pictureName, readPicture)
  const picture = (name: string) => pictures.kept.get(name)
  const texts = <T>(name: string, parse: Parse<T>) =>
    new Folder(path.join(dir, name), /^[\w-]+\.md$/, (file, base) =>
      parse(base.slice(0, -3), parseFront(readFileSync(file, 'utf8')), picture),
    )
  const articles = texts('articles', parseArticle)
  const help = texts('help', parseHelp)
  const documents = texts('documents', parseDocument)
  const channels = texts('channels', parseChannel)
  const all = { articles, help, documents, channels }
  let looked = Number.NEGATIVE_INFINITY

  function fresh() {
    if (now() - looked < POLL_INTERVAL_MS) return
    looked = now()
    // texts embed pictures and their sizes, so a changed picture invalidates them
    const anew = pictures.look()
    for (const folder of Object.values(all)) folder.look(anew)
  }
  const after = <T>(read: () => T): T => {
    fresh()
    return read()
  }
  return {
    articles: () =>
      after(() => [...articles.kept.values()].sort((a, b) => b.publishAt - a.publishAt || (a.id < b.id ? -1 : 1))),
    article: (id) => after(() => articles.kept.get(`${id}.md`)),
    help: () => after(() => [...help.kept.values()].sort((a, b) => a.order - b.order)),
    channels: () => after(() => [...channels.kept.values()].sort((a, b) => a.order - b.order)),
    document: (key) => after(() => documents.kept.get(`${key}.md`)),
    pictures: () => after(() => [...pictures.kept.keys()].sort()),
    picture: (name) => after(() => picture(name)),
    issues: () =>
      after(() =>
        Object.entries({ ...all, pictures }).flatMap(([name, folder]) =>
          [...folder.issues].map(([file, reason]) => ({ file: `${name}/${file}`, reason })),
        ),
      ),
  }
}
