/** Small facts about the installation as a whole, by name. */
export interface InstallationSettings {
  get(name: string): unknown
  /** Sets all or none; `undefined` removes a value. */
  setAll(values: ReadonlyMap<string, unknown>): Promise<void>
  /** Sets a value where there is none. @returns the one that is there now, by whoever came first */
  setFirst(name: string, value: unknown): Promise<unknown>
}
