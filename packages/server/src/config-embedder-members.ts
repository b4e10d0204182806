import { ConfigError } from './config-options.ts'

/** The members of an object in a file; each may be read once, and none may be left over. */
export class FileMembers {
  readonly #where: string
  readonly #left: Map<string, unknown>

  /** @param where the beginning of every error */
  constructor(where: string, value: unknown) {
    this.#where = where
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ConfigError(`${where} must be a JSON object`)
    }
    this.#left = new Map(Object.entries(value))
  }

  text(name: string): string {
    const value = this.#take(name)
    if (typeof value === 'string' && value !== '') return value
    throw this.error(name, 'must be a non-empty string', value)
  }

  optionalText(name: string): string | undefined {
    return this.#left.has(name) ? this.text(name) : undefined
  }

  /** Its value is in no error. */
  secret(name: string): string | undefined {
    if (!this.#left.has(name)) return undefined
    const value = this.#take(name)
    // A line break or a letter beyond Latin-1 cannot be sent in a header.
    if (typeof value === 'string' && /^[\u0021-\u007e]+$/.test(value)) return value
    throw this.error(name, 'must be a string of visible ASCII characters')
  }

  flag(name: string): boolean {
    if (!this.#left.has(name)) return false
    const value = this.#take(name)
    if (typeof value === 'boolean') return value
    throw this.error(name, 'must be true or false', value)
  }

  whole(name: string, min: number, max: number, fallback?: number): number {
    if (fallback !== undefined && !this.#left.has(name)) return fallback
    const value = this.#take(name)
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) {
      return Number(value)
    }
    throw this.error(name, `must be a whole number from ${min} to ${max}`, value)
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
    const value = this.#take(name)
    const found = choices.find((choice) => choice === value)
    if (found !== undefined) return found
    throw this.error(name, `must be one of ${choices.join(', ')}`, value)
  }

  optionalChoice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
  ): Choice | undefined {
    return this.#left.has(name) ? this.choice(name, choices) : undefined
  }

  object(name: string): Readonly<Record<string, unknown>> {
    const value = this.#take(name)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
    throw this.error(name, 'must be a JSON object')
  }

  /** @throws ConfigError if a member was not read: it is misspelt, or of another kind */
  end(): void {
    const [unknown] = this.#left.keys()
    if (unknown !== undefined) throw new ConfigError(`${this.#where} has no member "${unknown}"`)
  }

  /** @param value shown; absent for secrets and long values */
  error(name: string, expected: string, ...value: readonly unknown[]): ConfigError {
    const shown = value.length === 0 ? '' : `, received ${JSON.stringify(value[0]) ?? 'nothing'}`
    return new ConfigError(`${this.#where}: "${name}" ${expected}${shown}`)
  }

  #take(name: string): unknown {
    const value = this.#left.get(name)
    this.#left.delete(name)
    return value
  }
}
