import {
  DIGEST_BYTES,
  PART_DOCUMENTS_MAX,
  withUnknown,
} from '../../domain/documents/source-parts.ts'
import type { WriteOutcome } from '../../ports/catalog/catalog-writer.ts'
import type { ChangedDocument, ComparedRows } from '../../ports/catalog/source-readings.ts'
import type { SourcePorts } from './source-ports.ts'
import type { PartGroup } from './source-record.ts'

/** Groups that are recorded: the documents of one are written while the next one is recorded. */
const GROUPS_MAX = 2
/** A group of batches is also full at this number of bytes of documents. */
const GROUP_BYTES_MAX = 8_000_000
/** Batches of a group at the writer, as of a bulk request. */
const BATCHES_AT_WRITER_MAX = 4

/** Receives the outcomes of a batch, in the order of its documents. */
export type OnWritten = (
  changed: readonly ChangedDocument[],
  outcomes: readonly WriteOutcome[],
) => void

/**
 * Writes the batches of a run while the next ones are read. Those that arrive meanwhile are joined:
 * one part of the journal says that their documents may be written, the documents are written, and
 * the part is replaced by one with what was acknowledged. So a kill at any moment neither forgets a
 * document nor leaves one that was not written for written.
 */
export class SourceWrites {
  readonly #ports: Pick<SourcePorts, 'edits' | 'writer'>
  readonly #storeId: string
  readonly #group: PartGroup
  readonly #onWritten: OnWritten
  #waiting: ComparedRows[] = []
  readonly #inFlight = new Set<Promise<void>>()
  #partCount = 0
  /** Resolves when all parts are recorded: behind a gap, a part would be forgotten. */
  #recorded: Promise<unknown> = Promise.resolve()
  /** Resolves when the documents of earlier groups are written: later rows replace earlier ones. */
  #written: Promise<unknown> = Promise.resolve()
  #failure: { readonly error: unknown } | undefined

  constructor(
    ports: Pick<SourcePorts, 'edits' | 'writer'>,
    storeId: string,
    group: PartGroup,
    onWritten: OnWritten,
  ) {
    this.#ports = ports
    this.#storeId = storeId
    this.#group = group
    this.#onWritten = onWritten
  }

  /** Resolves when there is room for the next batch. @throws what writing an earlier one threw */
  async add(batch: ComparedRows): Promise<void> {
    if (batch.part.length === 0) return
    this.#waiting.push(batch)
    this.#begin()
    while (isFull(this.#waiting) && this.#inFlight.size > 0) await Promise.race(this.#inFlight)
    this.#throwFailure()
  }

  /** Resolves when all is written. @throws what writing threw */
  async end(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.race(this.#inFlight)
    this.#throwFailure()
  }

  /** Resolves when nothing is written any more. What has not begun is left out. */
  async stop(): Promise<void> {
    this.#waiting = []
    await Promise.all(this.#inFlight)
  }

  /** @returns its number */
  async putPart(part: Uint8Array): Promise<number> {
    const number = this.#partCount++
    const put = (): Promise<void> => this.#ports.edits.putPart(this.#group.id, number, part)
    await (this.#recorded = this.#recorded.then(put))
    return number
  }

  #begin(): void {
    if (this.#inFlight.size === GROUPS_MAX || this.#failure !== undefined) return
    const batches = this.#waiting.splice(0, groupLength(this.#waiting))
    if (batches.length === 0) return
    const writing = this.#write(batches)
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .then(() => {
        this.#inFlight.delete(writing)
        this.#begin()
      })
    this.#inFlight.add(writing)
  }

  async #write(batches: readonly ComparedRows[]): Promise<void> {
    const part = new Uint8Array(Buffer.concat(batches.map((batch) => batch.part)))
    const digestsAt: number[] = []
    let start = 0
    for (const batch of batches) {
      for (const { digestAt } of batch.changed) digestsAt.push(start + digestAt)
      start += batch.part.length
    }
    if (digestsAt.length === 0) {
      await this.putPart(part)
      return
    }
    const before = this.#written
    const recorded = this.putPart(withUnknown(part, digestsAt))
    const sent = Promise.all([recorded, before]).then(() => this.#send(batches))
    this.#written = sent
    const outcomes = await sent
    for (const [i, { status }] of outcomes.entries()) {
      const at = digestsAt[i]!
      if (status === 'failed') part.fill(0, at, at + DIGEST_BYTES)
    }
    await this.#ports.edits.putPart(this.#group.id, await recorded, part)
  }

  /** @returns the outcomes of all documents, in order */
  async #send(batches: readonly ComparedRows[]): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = []
    const sent: { readonly batch: ComparedRows; readonly answer: Promise<WriteOutcome[]> }[] = []
    const settleOldest = async (): Promise<void> => {
      const { batch, answer } = sent[0]!
      const settled = await answer
      sent.shift()
      this.#onWritten(batch.changed, settled)
      outcomes.push(...settled)
    }
    try {
      for (const batch of batches) {
        if (batch.changed.length === 0) continue
        const writes = batch.changed.map(({ id, json }) => {
          return { id, action: 'upsert', json } as const
        })
        const answer = this.#ports.writer.writeDocuments(this.#storeId, writes)
        answer.catch(() => undefined)
        sent.push({ batch, answer })
        if (sent.length === BATCHES_AT_WRITER_MAX) await settleOldest()
      }
      while (sent.length > 0) await settleOldest()
    } finally {
      await Promise.allSettled(sent.map(({ answer }) => answer))
    }
    return outcomes
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

function isFull(batches: readonly ComparedRows[]): boolean {
  return groupLength(batches) < batches.length || bytesIn(batches) >= GROUP_BYTES_MAX
}

/** Number of batches, from the first, that one part describes; at least one if there is one. */
function groupLength(batches: readonly ComparedRows[]): number {
  let rows = 0
  let bytes = 0
  let length = 0
  for (const batch of batches) {
    rows += batch.rows
    bytes += bytesIn([batch])
    if (length > 0 && (rows > PART_DOCUMENTS_MAX || bytes > GROUP_BYTES_MAX)) break
    length++
  }
  return length
}

function bytesIn(batches: readonly ComparedRows[]): number {
  return batches.reduce(
    (sum, { changed }) => changed.reduce((more, { json }) => more + json.length, sum),
    0,
  )
}
