export type FileKind = 'PNG' | 'PDF'

/**
 * What became of a file. `SAVED` where files of this phone are found · `SHOWN` by the host, which saves it or sends it on ·
 * `REFUSED`: the host may not write to the album · `GIVEN_UP` by the user · `FAILED`.
 */
export type Kept = 'SAVED' | 'SHOWN' | 'REFUSED' | 'GIVEN_UP' | 'FAILED'

export interface Album {
  /** Puts a PNG (a data address) where the user finds pictures, and says so, or how to do it by hand. */
  save(png: string, name: string): Promise<void>
  /**
   * Where files go here. `none`: the browser of WeChat takes no downloads: a picture is saved by holding it, a document is
   * opened in another browser.
   */
  way(): 'album' | 'download' | 'none'
  /** Keeps a file that `transport.download` gave; the screen says what became of it. */
  keep(file: string, name: string, kind: FileKind): Promise<Kept>
  /** Opens the host's permissions, inside a tap; true when the album is allowed afterwards. */
  allow(): Promise<boolean>
}
