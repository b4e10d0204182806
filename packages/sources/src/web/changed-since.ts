import { SourceError } from '../source-error.ts'
import type { SourceChange, SourceChanges } from '../source-reader.ts'
import type { Wait } from './patience.ts'

/** How a shop is asked for its changes. */
export const CHANGES = {
  /** Between two questions. */
  everyMs: 60_000,
  /**
   * Changes are asked for from this long before the newest that is known: shops list a change a
   * little after its time, and clocks differ.
   */
  overlapMs: 120_000,
  /** Changed products that are read one by one; beyond, reading all is quicker. */
  productsMax: 500,
} as const

/** A product that has changed, and when. */
export interface ChangedProduct {
  readonly id: string
  readonly changedMs: number
}

/** A time in the clock of the shop. */
export function positionAt(ms: number): string | undefined {
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/**
 * Asks a shop again and again which products have changed, and reads these. Removed products are
 * not among them.
 *
 * @param listed products that have changed since a time, the first of them
 * @throws SourceError position_lost: more has changed than is read one by one
 */
export async function* changedSince(
  position: string,
  listed: (sinceMs: number, max: number) => Promise<readonly ChangedProduct[]>,
  read: (ids: readonly string[]) => Promise<readonly SourceChange[]>,
  signal: AbortSignal,
  waits: Wait,
): AsyncGenerator<SourceChanges> {
  let atMs = Date.parse(position)
  if (Number.isNaN(atMs)) throw new SourceError('position_lost', `"${position}" is not a time`)
  let known = new Map<string, number>()
  for (;;) {
    signal.throwIfAborted()
    const changed = await listed(atMs - CHANGES.overlapMs, CHANGES.productsMax + 1)
    const news = changed.filter(({ id, changedMs }) => known.get(id) !== changedMs)
    if (news.length > CHANGES.productsMax) {
      throw new SourceError(
        'position_lost',
        `More than ${CHANGES.productsMax} products have changed: all are read again`,
      )
    }
    const changes = await read(news.map(({ id }) => id))
    known = new Map(changed.map(({ id, changedMs }) => [id, changedMs]))
    atMs = Math.max(atMs, ...changed.map(({ changedMs }) => changedMs))
    yield { changes, position: new Date(atMs).toISOString() }
    await waits(CHANGES.everyMs, signal)
  }
}
