export type FileKind = 'PNG' | 'PDF'

/**
 * `SAVED` to the device · `SHOWN` in the host's viewer, from which the user saves or forwards it · `REFUSED`: no
 * permission to write to the album · `NO_CONSENT`: the host's privacy guide was declined · `GIVEN_UP`: cancelled by the
 * user · `FAILED`.
 */
export type SaveOutcome = 'SAVED' | 'SHOWN' | 'REFUSED' | 'NO_CONSENT' | 'GIVEN_UP' | 'FAILED'

export interface Album {
  /** Saves a PNG (data URL) to the album or downloads, and shows the outcome, or how to save it manually. */
  save(png: string, name: string): Promise<void>
  /**
   * Where files are saved. `none`: WeChat's browser blocks downloads, so a picture is saved by long press and a
   * document is opened in another browser.
   */
  method(): 'album' | 'download' | 'none'
  /** Saves a file from `transport.download`; the screen reports the outcome. */
  saveFile(file: string, name: string, kind: FileKind): Promise<SaveOutcome>
  /** Opens the host's permission settings (only inside a tap). @returns whether the album is allowed afterwards */
  allow(): Promise<boolean>
}
