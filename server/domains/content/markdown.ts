import MarkdownIt from 'markdown-it'

/** A picture of the content folder as a page needs it: with its size, so that nothing moves when it arrives. */
export interface Picture {
  src: string
  width: number
  height: number
}

type Env = {
  [key: string]: unknown
  picture?: (name: string) => Picture | undefined
  missing?: string[]
}

const engine = new MarkdownIt({ html: false, linkify: false })

// pages of the app and encrypted addresses, nothing else; pictures are names of files, looked up below
engine.validateLink = (url) => /^(https:\/\/|\/(?!\/))/i.test(url) || /^[\w-]+\.\w+$/.test(url)

// a mini-program's rich text knows no tag selectors: every tag carries its class
engine.core.ruler.push('classes', (state) => {
  const walk = (tokens: typeof state.tokens) => {
    for (const token of tokens) {
      if (token.tag !== '' && token.nesting >= 0) token.attrJoin('class', `doc-${token.tag}`)
      if (token.children) walk(token.children)
    }
  }
  walk(state.tokens)
})

// only pictures that are there, with their size; of others the words remain
engine.renderer.rules.image = (tokens, at, _options, env: Env | undefined) => {
  const token = tokens[at]
  const name = String(token?.attrGet('src') ?? '')
  const alt = engine.utils.escapeHtml(token?.content ?? '')
  const found = env?.picture?.(name)
  if (!found) {
    env?.missing?.push(name)
    return alt
  }
  const { src, width, height } = found
  return `<img class="doc-img" src="${src}" width="${width}" height="${height}" alt="${alt}" loading="lazy">`
}

/**
 * Markdown → HTML whose tags carry `doc-…` classes. Markup and script addresses in the text stay text; a picture must
 * be one that `picture` knows, the names of others are added to `missing`.
 */
export const renderMarkdown = (text: string, env: Env = {}): string => engine.render(text, env)
