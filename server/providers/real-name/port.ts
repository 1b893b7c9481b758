/** Asks an authority whether a name and an ID number belong together. */
export interface RealNamePort {
  /** @throws when the authority could not be asked; the user's try is given back then */
  matches(person: { name: string; idNo: string }): Promise<boolean>
}
