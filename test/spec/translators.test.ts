import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/**
 * Page translators of browsers replace text nodes. React then changes nodes that are no longer in the page; it replaces
 * the whole text only where an element has one text and nothing else (src/ui/controls.h5.test.tsx).
 */

const src = path.resolve(__dirname, '../../src')
const screens = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))

/** Elements with a text beside an expression, by line. */
function mixed(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(src, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const text = node.children.some((child) => ts.isJsxText(child) && !child.containsOnlyTriviaWhiteSpaces)
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      if (text && node.children.some(ts.isJsxExpression)) found.push(`${file}:${line + 1}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

it('no element has a text beside an expression: they are one string', () => {
  expect(screens.flatMap(mixed)).toEqual([])
})
