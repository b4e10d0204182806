import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface LongTurn {
  readonly thread: string
  /** Processor time. */
  readonly turnMs: number
  readonly atMs: number
}

/** The long turns of the threads of a service that is started with `environment`. */
export class LongTurns implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'aisle-turns-'))
  readonly #file = join(this.#folder, 'turns.jsonl')

  constructor() {
    writeFileSync(this.#file, '')
  }

  get environment(): Record<string, string> {
    return {
      NODE_OPTIONS: `--import ${new URL('turn-probe.ts', import.meta.url).href}`,
      TURN_PROBE_FILE: this.#file,
    }
  }

  /** The longest turn of each thread between two times, in ms. */
  longest(fromMs: number, toMs: number): Map<string, number> {
    const longest = new Map<string, number>()
    for (const line of readFileSync(this.#file, 'utf8').split('\n')) {
      if (line === '') continue
      const { thread, turnMs, atMs } = JSON.parse(line) as LongTurn
      if (atMs < fromMs || atMs > toMs) continue
      const kind = thread.replace(/[ -]?\d+$/, '')
      longest.set(kind, Math.max(longest.get(kind) ?? 0, turnMs))
    }
    return longest
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
