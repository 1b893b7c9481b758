/** Input by keyboard alone, as by somebody who uses neither mouse nor touch. */
import type { Locator, Page } from 'playwright-core'
import type { Input } from './form'

/** Waits for the script of the current page: the previous key may have loaded another page. */
export const type = async (page: Page, ...keys: string[]) => {
  await page.waitForLoadState()
  for (const key of keys) await (/^(Control|Tab|Enter)/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key))
}

/** more tab stops than any page has */
const MAX_STOPS = 300

/** A dialog that has just opened takes the focus when it stands; until then keys go to the page behind it. */
const untilFocused = (page: Page) =>
  page.waitForFunction(() => {
    const dialogs = [...document.querySelectorAll('[aria-modal="true"]')].filter((el) => el.getClientRects().length > 0)
    const focused = document.activeElement
    return focused === document.body || (dialogs.at(-1)?.contains(focused) ?? true)
  })

/**
 * Presses Tab until this element, or the control around it, has the focus.
 * @throws Error when Tab never reaches it, or leaves an open dialog
 */
export async function reach(page: Page, what: Locator) {
  await what.waitFor()
  await untilFocused(page)
  const focus = () =>
    what.evaluate((el) => {
      const focused = document.activeElement
      const control = focused?.matches('[tabindex="0"], a, button, input, textarea, summary') ?? false
      if (control && (el.contains(focused) || focused?.contains(el) === true)) return 'here'
      const dialog = el.closest('[aria-modal="true"]')
      return !dialog || focused === document.body || dialog.contains(focused) ? 'elsewhere' : 'outside'
    })
  for (let i = 0; i < MAX_STOPS; i += 1) {
    const where = await focus()
    if (where === 'here') return
    if (where === 'outside') throw new Error(`the Tab key leaves the dialog with ${what}`)
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not come to ${what}`)
}

export async function press(page: Page, what: Locator) {
  await reach(page, what)
  await page.keyboard.press('Enter')
}

/** Fills a form: the input of test/e2e/form.ts. */
export const keyboardInput = (page: Page): Input => ({
  tap: (what) => press(page, what),
  async type(box, text) {
    await reach(page, box)
    await page.keyboard.type(text)
  },
})

/** Opens the file chooser of this button and chooses pictures; the chooser itself belongs to the operating system. */
export async function choosePictures(page: Page, button: Locator, files: readonly Buffer[]) {
  const chooser = page.waitForEvent('filechooser')
  await press(page, button)
  const given = files.map((buffer, i) => ({ name: `${i + 1}.jpg`, mimeType: 'image/jpeg', buffer }))
  await (await chooser).setFiles(given)
}
