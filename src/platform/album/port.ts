export interface Album {
  /** Puts a PNG (a data address) where the user finds pictures, and says so, or how to do it by hand. */
  save(png: string, name: string): Promise<void>
}
