import MarkdownIt from 'markdown-it'

const engine = new MarkdownIt({ html: false, linkify: false })

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

/** Markdown → HTML whose tags carry `doc-…` classes. Markup and script addresses in the text stay text. */
export const renderMarkdown = (text: string): string => engine.render(text)
