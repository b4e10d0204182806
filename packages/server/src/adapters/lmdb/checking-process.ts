import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'

/** A process that gets nowhere for so long hangs: on a disk that does not answer, say. */
const STILL_MAX_MS = 120_000
const BEAT_MS = 500
/** The file descriptor that beats go to, one byte each. */
const BEATS = 3
const OUTPUT_MAX_CHARS = 100_000

export interface CheckingOutcome {
  /** Of the process; undefined: it stood still and was given up. */
  readonly code: number | string | undefined
  readonly output: string
}

/**
 * Runs a file of ours as a process of its own, since a garbled page of a document file can kill the
 * process that touches it. However much there is to read, it may take its time, as long as it says
 * that it gets on (`Beat`). It ends with the process that has started it.
 */
export function runCheckingProcess(
  file: string,
  folder: string,
  stillMaxMs = STILL_MAX_MS,
): Promise<CheckingOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, folder], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    let output = ''
    let timer: NodeJS.Timeout
    const giveUp = (): void => {
      child.kill('SIGKILL')
      // A process that waits for a disk cannot be killed: nobody waits for it.
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

/** In such a process. Elsewhere, where nobody listens, it does nothing. */
export class Beat {
  readonly #isHeard: boolean
  #lastMs = performance.now()

  constructor(isHeard: boolean) {
    this.#isHeard = isHeard
  }

  /**
   * Says, now and then, that something has been done. To be called for each thing.
   *
   * @throws Error when the process that listened is gone
   */
  done(): void {
    if (!this.#isHeard) return
    const nowMs = performance.now()
    if (nowMs - this.#lastMs < BEAT_MS) return
    this.#lastMs = nowMs
    this.now()
  }

  /** The same, at once. */
  now(): void {
    if (this.#isHeard) writeSync(BEATS, '.')
  }
}
