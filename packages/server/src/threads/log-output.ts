import { writeSync } from 'node:fs'

/** Lines are collected for this time … */
const COLLECT_MS = 100
/** … or up to this size. */
const COLLECT_BYTES = 3_072
/**
 * Several threads write to the same pipe, which takes up to 4,096 bytes in one piece (PIPE_BUF,
 * POSIX.1): whole lines of one thread never end up within those of another.
 */
const PIECE_MAX_BYTES = 4_096
/** A write to a reader that does not keep up is retried after this time … */
const FULL_PIPE_WAIT_MS = 10
/**
 * … for this long. Then the piece is dropped, so that the service does not hang; later ones are
 * dropped without waiting, until the reader takes one.
 */
const FULL_PIPE_MAX_MS = 2_000

/**
 * The standard output, for lines that need not be written at once. Nothing waits for a disk: a
 * tenth of a second of lines may be lost with the machine. Output that cannot be written (the
 * reader has ended, the disk is full) is dropped.
 */
export class LogOutput {
  #text = ''
  #bytes = 0
  #waitMaxMs = FULL_PIPE_MAX_MS
  readonly #finish: () => void

  /** @param finish writes the lines that are not formatted yet */
  constructor(finish: () => void) {
    this.#finish = finish
    setInterval(() => this.flush(), COLLECT_MS).unref()
  }

  /** @param line with its newline */
  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > PIECE_MAX_BYTES) this.#flushText()
    this.#text += line
    this.#bytes += bytes
    if (this.#bytes >= COLLECT_BYTES) this.#flushText()
  }

  /** Writes the collected lines. */
  flush(): void {
    this.#finish()
    this.#flushText()
  }

  #flushText(): void {
    if (this.#bytes === 0) return
    const piece = Buffer.from(this.#text)
    this.#text = ''
    this.#bytes = 0
    this.#waitMaxMs = isWritten(piece, this.#waitMaxMs) ? FULL_PIPE_MAX_MS : 0
  }
}

function isWritten(piece: Buffer, waitMaxMs: number): boolean {
  let written = 0
  let waitedMs = 0
  while (written < piece.length) {
    try {
      written += writeSync(1, piece, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waitedMs >= waitMaxMs) return false
      Atomics.wait(NEVER, 0, 0, FULL_PIPE_WAIT_MS)
      waitedMs += FULL_PIPE_WAIT_MS
    }
  }
  return true
}

/** Nobody wakes this thread: the wait ends with its timeout. */
const NEVER = new Int32Array(new SharedArrayBuffer(4))
