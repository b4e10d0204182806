import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'

/** Where tests run: with nothing else, or on a cluster (`npm run test:cluster`). */
export type Surroundings = 'machine' | 'cluster'

type TimesFile = Partial<Record<Surroundings, Record<string, number>>>

const FILE = join(import.meta.dirname, 'test-times.json')

/**
 * Seconds of each test file when it was last recorded (`npm test -- --record`). They decide only
 * what runs together and first, so they may be old, or of another machine.
 */
export class TestTimes {
  readonly #surroundings: Surroundings
  readonly #times: ReadonlyMap<string, number>
  readonly #median: number

  constructor(surroundings: Surroundings, times: ReadonlyMap<string, number>) {
    this.#surroundings = surroundings
    this.#times = times
    const ascending = Array.from(times.values()).sort((a, b) => a - b)
    this.#median = ascending[ascending.length >> 1] ?? 1
  }

  static read(surroundings: Surroundings): TestTimes {
    return new TestTimes(surroundings, new Map(Object.entries(readAll()[surroundings] ?? {})))
  }

  /** A file that has no time is taken to be like most. */
  secondsOf(file: string): number {
    return this.#times.get(file) ?? this.#median
  }

  /** Writes times over those known; files that are gone are left out. */
  record(seconds: ReadonlyMap<string, number>): void {
    const times = Object.fromEntries(
      [...this.#times, ...seconds]
        .filter(([file]) => existsSync(join(REPOSITORY, file)))
        .map(([file, time]) => [file, Math.round(time * 10) / 10] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
    const all: TimesFile = { ...readAll(), [this.#surroundings]: times }
    writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`)
  }
}

function readAll(): TimesFile {
  return JSON.parse(readFileSync(FILE, 'utf8')) as TimesFile
}
