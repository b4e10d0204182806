import type { FailedRow } from '@aisle/import'
import { closeSync, openSync, writeSync } from 'node:fs'
import { CommandError } from '../exit-codes.ts'

/** Refused rows, one line of JSON each. The file is created when the first row fails. */
export class FailedFile {
  readonly name: string
  readonly #append: boolean
  #handle: number | undefined

  constructor(name: string, append: boolean) {
    this.name = name
    this.#append = append
  }

  /** @throws CommandError when it cannot be written */
  add(failure: FailedRow): void {
    try {
      this.#handle ??= openSync(this.name, this.#append ? 'a' : 'w')
      writeSync(this.#handle, `${JSON.stringify(failure)}\n`)
    } catch (error) {
      throw new CommandError('usage', `Cannot write "${this.name}": ${(error as Error).message}`)
    }
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
  }
}
