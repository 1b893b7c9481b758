/** Checks with an official service whether a name and an ID number belong together. */
export interface RealNamePort {
  /** @throws if the service cannot be reached; the user's attempt is then not counted */
  matches(person: { name: string; idNo: string }): Promise<boolean>
}
