import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A process without progress for this long hangs, for example on a disk that does not respond. */
const STILL_MAX_MS = 120_000
const BEAT_MS = 500
/** The file descriptor for beats, one byte each. */
const BEATS = 3
/** A census names every store. */
const OUTPUT_MAX_CHARS = 64 * 1024 * 1024

export interface CheckingOutcome {
  /** Exit code; undefined: the process made no progress and was abandoned. */
  readonly code: number | string | undefined
  readonly output: string
}

/** Entry of the processes that read a document file: see there for its tasks. */
export const FILE_PROCESS = new URL('./file-process.ts', import.meta.url)

/**
 * Runs one of our files as a separate process, because reading a garbled page of a document file
 * can kill the process that does. The child may run as long as it reports progress (`Beat`). It
 * exits when its parent is gone.
 *
 * @param words arguments of the process
 */
export function runCheckingProcess(
  entry: URL,
  words: readonly string[],
  stillMaxMs = STILL_MAX_MS,
): Promise<CheckingOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(entry), ...words], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    let output = ''
    let timer: NodeJS.Timeout
    const giveUp = (): void => {
      child.kill('SIGKILL')
      // A process that waits for a disk cannot be killed, so nobody waits for it.
      child.unref()
      for (const stream of child.stdio) stream?.destroy()
      resolve({ code: undefined, output })
    }
    const onBeat = (): void => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, stillMaxMs)
    }
    onBeat()
    child.stdio[BEATS]?.on('data', onBeat)
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.length < OUTPUT_MAX_CHARS) output += chunk.toString()
    })
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code: code ?? signal ?? 'no code', output })
    })
  })
}

/** Reports progress from such a process. Elsewhere, where nobody listens, it does nothing. */
export class Beat {
  readonly #isHeard: boolean
  #lastMs = performance.now()

  constructor(isHeard: boolean) {
    this.#isHeard = isHeard
  }

  /**
   * Reports progress at intervals. Call it for each unit of work.
   *
   * @throws Error if the listening process has ended
   */
  done(): void {
    if (!this.#isHeard) return
    const nowMs = performance.now()
    if (nowMs - this.#lastMs < BEAT_MS) return
    this.#lastMs = nowMs
    this.now()
  }

  /** The same, immediately. */
  now(): void {
    if (this.#isHeard) writeSync(BEATS, '.')
  }
}
