import type { InstallationSettings } from '../../ports/host/installation-settings.ts'
import type { Committer } from './committer.ts'
import type { Environment } from './environment.ts'
import { jsonRow, mixBytes, readJsonRow } from './record.ts'

export class Settings implements InstallationSettings {
  readonly #environment: Environment
  readonly #committer: Committer

  constructor(environment: Environment, committer: Committer) {
    this.#environment = environment
    this.#committer = committer
  }

  get(name: string): unknown {
    const key = Buffer.from(name)
    const row = this.#environment.meta.getBinary(key)
    return row === undefined ? undefined : readJsonRow(row, mixBytes(key))
  }

  set(name: string, value: unknown): Promise<void> {
    return this.setAll(new Map([[name, value]]))
  }

  async setFirst(name: string, value: unknown): Promise<unknown> {
    const known = this.get(name)
    if (known === undefined) await this.set(name, value)
    return known ?? value
  }

  setAll(values: ReadonlyMap<string, unknown>): Promise<void> {
    const table = this.#environment.meta
    return this.#committer.commit(
      [...values].map(([name, value]) => {
        const key = Buffer.from(name)
        const row = value === undefined ? undefined : jsonRow(mixBytes(key), value)
        return { table, key, row }
      }),
    )
  }
}
