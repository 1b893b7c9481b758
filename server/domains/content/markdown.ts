import MarkdownIt from 'markdown-it'

/** A picture of the content folder, with its size to avoid layout shifts. */
export interface ContentPicture {
  src: string
  width: number
  height: number
}

type Env = {
  [key: string]: unknown
  picture?: (name: string) => ContentPicture | undefined
  missing?: string[]
}

const engine = new MarkdownIt({ html: false, linkify: false })

// links lead to app pages, https addresses and file names of pictures only, which are looked up below
engine.validateLink = (url) => /^(https:\/\/|\/(?!\/))/i.test(url) || /^[\w-]+\.\w+$/.test(url)

// the mini-program's rich text supports no tag selectors, so every tag gets a class
engine.core.ruler.push('classes', (state) => {
  const walk = (tokens: typeof state.tokens) => {
    for (const token of tokens) {
      if (token.tag !== '' && token.nesting >= 0) token.attrJoin('class', `doc-${token.tag}`)
      if (token.children) walk(token.children)
    }
  }
  walk(state.tokens)
})

// existing pictures are shown with their size; others are replaced by their alt text
engine.renderer.rules.image = (tokens, index, _options, env: Env | undefined) => {
  const token = tokens[index]
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
 * Markdown → HTML whose tags carry `doc-…` classes. Raw HTML and script addresses are escaped; unknown pictures are
 * added to `missing`.
 */
export const renderMarkdown = (text: string, env: Env = {}): string => engine.render(text, env)
