/** A response without the members that differ each time it is sent. */
export interface AnswerParts<T extends string | Buffer> {
  /** JSON before those members … */
  readonly head: T
  /** … and behind them. */
  readonly tail: T
}

/** What differs each time. */
export interface Given {
  readonly cached: boolean
  readonly searchId: string
  readonly tookMs: number
}

/** The complete response. */
export function answerText({ head, tail }: AnswerParts<string>, given: Given): string {
  return head + membersOf(given) + tail
}

/**
 * The same in UTF-8, without making a string of what is bytes already. Who has sent the bytes may
 * give them back (`giveBack`).
 */
export function answerBytes({ head, tail }: AnswerParts<Buffer>, given: Given): Buffer {
  const members = membersOf(given)
  // ASCII: as many bytes as characters.
  const behind = head.length + members.length
  const bytes = lentMemory(behind + tail.length)
  bytes.set(head)
  bytes.write(members, head.length, 'latin1')
  bytes.set(tail, behind)
  return bytes
}

function membersOf({ cached, searchId, tookMs }: Given): string {
  const shownMs = Math.round(tookMs * 100) / 100
  return `,"cached":${cached},"search_id":"${searchId}","search_time_ms":${shownMs}`
}

/** Of most responses; larger ones have memory of their own. */
const MEMORY_BYTES = 32_768

/**
 * Memory for the next response; undefined: that is still in use. V8 collects garbage the sooner
 * the more memory there is outside of its heap, so that allocating it for each response took a
 * fifth of the time of cached ones.
 */
let free: Buffer | undefined
/** The same, or the memory that was lent last. */
let memory: Buffer | undefined

function lentMemory(bytes: number): Buffer {
  if (bytes > MEMORY_BYTES) return Buffer.allocUnsafe(bytes)
  memory = free ?? Buffer.allocUnsafeSlow(MEMORY_BYTES)
  free = undefined
  return memory.subarray(0, bytes)
}

/** Lets the next response have the memory of this one, which nothing reads any more. */
export function giveBack({ buffer }: Buffer): void {
  if (buffer === memory?.buffer) free = memory
}
