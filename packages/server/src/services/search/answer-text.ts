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

/** The same in UTF-8, without making a string of what is bytes already. */
export function answerBytes({ head, tail }: AnswerParts<Buffer>, given: Given): Buffer {
  const members = membersOf(given)
  // ASCII: as many bytes as characters.
  const behind = head.length + members.length
  const bytes = Buffer.allocUnsafe(behind + tail.length)
  bytes.set(head)
  bytes.write(members, head.length, 'latin1')
  bytes.set(tail, behind)
  return bytes
}

function membersOf({ cached, searchId, tookMs }: Given): string {
  const shownMs = Math.round(tookMs * 100) / 100
  return `,"cached":${cached},"search_id":"${searchId}","search_time_ms":${shownMs}`
}
