/** Classes of ours, words and places in their order, without what only the app's own elements carry. */
export function seen(root: Element): string[] {
  const out: string[] = []
  const walk = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = (node.textContent ?? '').trim()
      if (text) out.push(text)
    }
    if (!(node instanceof HTMLElement) || node.tagName === 'IMG') return
    const classes = [...node.classList].filter((c) => /^(ui-|home|rp)/.test(c) && !/^ui-text-/.test(c)).sort()
    if (classes.length > 0) out.push(`.${classes.join('.')}${node.style.left && ` left ${node.style.left}`}`)
    for (const child of node.childNodes) walk(child)
  }
  // words that were put together of several are one
  const whole = root.cloneNode(true) as Element
  whole.normalize()
  walk(whole)
  return out
}
