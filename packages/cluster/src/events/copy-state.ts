import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const VERSION = 1
const SAVE_MS = 1_000

/** How far this node has copied one week of the cluster's events. */
export interface CopiedWeek {
  /** Of the index: another one has another history. */
  readonly uuid: string
  /** Number of the last copied change of each shard; -1: none. */
  readonly after: readonly number[]
}

interface Content {
  readonly version: number
  readonly weeks: [number, CopiedWeek][]
  readonly removals: [string, string][]
}

/**
 * How far the copy of the cluster's events has come, in a file: written after what it speaks of is
 * on the disk. Without it, what was copied is of unknown origin and must go.
 */
export class CopyState {
  /** By week. */
  readonly weeks: Map<number, CopiedWeek>
  /** By log: which removals were done in the copy and in what is made of it. */
  readonly removals: Map<string, string>
  readonly #path: string
  #saved = ''
  #savedMs = 0

  constructor(path: string) {
    const { weeks = [], removals = [] } = readContent(path) ?? {}
    this.#path = path
    this.weeks = new Map(weeks)
    this.removals = new Map(removals)
  }

  /** Whether there is a file that can be used. */
  static isThere(path: string): boolean {
    return readContent(path) !== undefined
  }

  /** Saves now and then. */
  saveWhenDue(): void {
    if (performance.now() - this.#savedMs >= SAVE_MS) this.save()
  }

  /** Not synced: after a loss of power it may be behind the copy, or torn. */
  save(): void {
    const content: Content = {
      version: VERSION,
      weeks: [...this.weeks],
      removals: [...this.removals],
    }
    const json = JSON.stringify(content)
    this.#savedMs = performance.now()
    if (json === this.#saved) return
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(`${this.#path}.new`, json)
    renameSync(`${this.#path}.new`, this.#path)
    this.#saved = json
  }

  /** Makes the next start copy everything again. */
  remove(): void {
    rmSync(this.#path, { force: true })
  }
}

function readContent(path: string): Content | undefined {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Content
    return content.version === VERSION ? content : undefined
  } catch {
    return undefined
  }
}
