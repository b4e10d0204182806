/** Named values of the installation as a whole. */
export interface InstallationSettings {
  get(name: string): unknown
  /** Sets all or none; `undefined` removes a value. */
  setAll(values: ReadonlyMap<string, unknown>): Promise<void>
  /** Sets a value if there is none. @returns the value in force: the first one that was set */
  setFirst(name: string, value: unknown): Promise<unknown>
}
