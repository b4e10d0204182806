import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const VERSION = 1
const SAVE_MS = 1_000

/** How far this node has copied one week of the cluster's events. */
export interface CopiedWeek {
  /** Identifies the index: another one has a different history. */
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
 * The progress of copying the cluster's events, in a file that is written after the copied events
 * are on disk. Without it, the copies are of unknown progress and must be removed.
 */
export class CopyState {
  /** Progress by week. */
  readonly weeks: Map<number, CopiedWeek>
  /** Removals that were applied to the copy and the data derived from it, by log. */
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

  /** Whether there is a usable file. */
  static isThere(path: string): boolean {
    return readContent(path) !== undefined
  }

  /** Saves at intervals. */
  saveWhenDue(): void {
    if (performance.now() - this.#savedMs >= SAVE_MS) this.save()
  }

  /** Not synced: after a power failure it may lag behind the copy, or be torn. */
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
