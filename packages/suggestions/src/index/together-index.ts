import { SectionReader, SectionWriter } from '@aisle/engine'
import type { Visitor } from '@aisle/event-log'
import { identitiesOf } from '../history/profiles.ts'
import {
  STEPS_BY_STRENGTH,
  type SeenDocument,
  type SeenDocuments,
} from '../history/seen-documents.ts'
import {
  COMPANION,
  isShared,
  type Companions,
  type TogetherTable,
} from '../history/together-table.ts'
import { fading } from '../popularity/worth.ts'
import { placeIn } from './place-in.ts'
import { addLists, addStrings, NumberLists, StringList } from './string-list.ts'

const TOGETHER_MAGIC = 0x54474f41
/** Assumed steps with each product and no other. */
const STEPS_PRIOR = 5
/** Products per step of a build. */
const STEP_DOCUMENTS = 1_000

export interface TogetherInput {
  readonly together: Pick<TogetherTable, 'looked' | 'bought'>
  readonly seen: Pick<SeenDocuments, 'identities'>
  /** Number of the day of the index. */
  readonly today: number
}

export interface Affine {
  readonly id: string
  /** 0..1 */
  readonly affinity: number
}

/** Documents that stand for what visitors look at. */
const MOST_SEEN_MAX = 500

export interface MostSeen {
  readonly id: string
  /** Identities that saw it lately. */
  readonly visitors: number
}

const KINDS = ['looked', 'bought'] as const
export type TogetherKind = (typeof KINDS)[number]

/**
 * Builds the products that go together, and the documents that visitors saw, in shared memory;
 * immutable. In steps, because there may be millions of pairs.
 */
export function* togetherIndexSteps({
  together,
  seen,
  today,
}: TogetherInput): Generator<void, SharedArrayBuffer> {
  const lists = { looked: new Map<string, Affine[]>(), bought: new Map<string, Affine[]>() }
  const ids = new Set<string>()
  for (const kind of KINDS) {
    let count = 0
    for (const [id, companions] of together[kind]) {
      if (++count % STEP_DOCUMENTS === 0) yield
      const affine = affineOf(companions, (other) => together[kind].get(other), today)
      if (affine.length === 0) continue
      lists[kind].set(id, affine)
      ids.add(id)
      for (const other of affine) ids.add(other.id)
    }
  }
  const identities = [...seen.identities].toSorted(([a], [b]) => a - b)
  for (const [, own] of identities) for (const { id } of own) ids.add(id)
  yield
  const sorted = [...ids].toSorted()
  const ordinals = new Map(sorted.map((id, ordinal) => [id, ordinal]))
  const writer = new SectionWriter()
  addStrings(writer, 'id', sorted)
  for (const kind of KINDS) {
    yield
    const own = sorted.map((id) => lists[kind].get(id) ?? [])
    addLists(
      writer,
      kind,
      own.map((list) => list.map(({ id }) => ordinals.get(id)!)),
    )
    const affinities = Float64Array.from(own.flat(), ({ affinity }) => affinity)
    writer.add(`${kind}.affinity`, affinities)
  }
  yield
  writer.add(
    'identity',
    Float64Array.from(identities, ([identity]) => identity),
  )
  addLists(
    writer,
    'seen',
    identities.map(([, own]) => own.map(({ id }) => ordinals.get(id)!)),
  )
  const seenDocuments = identities.flatMap(([, own]) => own)
  writer.add(
    'seen.at',
    Float64Array.from(seenDocuments, ({ atMs }) => atMs),
  )
  writer.add(
    'seen.step',
    Uint8Array.from(seenDocuments, ({ step }) => STEPS_BY_STRENGTH.indexOf(step)),
  )
  return writer.finish(TOGETHER_MAGIC, {})
}

/** The same without steps. */
export function buildTogetherIndex(input: TogetherInput): SharedArrayBuffer {
  const steps = togetherIndexSteps(input)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Affinities of a product, the greatest first; ties by the smaller id. */
function affineOf(
  companions: Companions,
  find: (id: string) => Companions | undefined,
  today: number,
): Affine[] {
  const own = totalOf(companions, today) + STEPS_PRIOR
  const { ids, cells } = companions
  return ids
    .flatMap((id, place): Affine[] => {
      const at = place * COMPANION.length
      if (!isShared(cells, place)) return []
      const amount = cells[at + COMPANION.amount]! * fading(today - cells[at + COMPANION.day]!)
      const other = find(id)
      // A forgotten product was seen at least with this one.
      const total = (other === undefined ? amount : totalOf(other, today)) + STEPS_PRIOR
      return [{ id, affinity: amount / Math.sqrt(own * total) }]
    })
    .toSorted((a, b) => b.affinity - a.affinity || (a.id < b.id ? -1 : 1))
}

function totalOf({ total, day }: Companions, today: number): number {
  return total * fading(today - day)
}

/** Read in place. */
export class TogetherIndex {
  readonly #ids: StringList
  readonly #lists: Readonly<Record<TogetherKind, NumberLists>>
  readonly #affinities: Readonly<Record<TogetherKind, Float64Array>>
  readonly #identity: Float64Array
  readonly #seen: NumberLists
  readonly #seenAt: Float64Array
  readonly #seenStep: Uint8Array
  #mostSeen: readonly MostSeen[] | undefined

  constructor(buffer: SharedArrayBuffer) {
    const reader = new SectionReader(buffer, TOGETHER_MAGIC)
    this.#ids = new StringList(reader, 'id')
    this.#lists = {
      looked: new NumberLists(reader, 'looked'),
      bought: new NumberLists(reader, 'bought'),
    }
    this.#affinities = {
      looked: reader.f64('looked.affinity'),
      bought: reader.f64('bought.affinity'),
    }
    this.#identity = reader.f64('identity')
    this.#seen = new NumberLists(reader, 'seen')
    this.#seenAt = reader.f64('seen.at')
    this.#seenStep = reader.u8('seen.step')
  }

  /** Returns products that go with a product, by descending affinity. */
  of(kind: TogetherKind, id: string): Affine[] {
    const ordinal = this.#ids.find(id)
    if (ordinal < 0) return []
    const lists = this.#lists[kind]
    const start = lists.offsets[ordinal]!
    return Array.from(lists.of(ordinal), (other, i) => ({
      id: this.#ids.get(other),
      affinity: this.#affinities[kind][start + i]!,
    }))
  }

  /** The documents that most visitors saw, with their number; counted once. */
  mostSeen(): readonly MostSeen[] {
    return (this.#mostSeen ??= this.#countSeen())
  }

  #countSeen(): MostSeen[] {
    const counts = new Uint32Array(this.#ids.length)
    for (let i = 0; i < this.#identity.length; i++) {
      for (const ordinal of this.#seen.of(i)) counts[ordinal]!++
    }
    return [...counts.keys()]
      .filter((ordinal) => counts[ordinal]! > 0)
      .toSorted((a, b) => counts[b]! - counts[a]! || a - b)
      .slice(0, MOST_SEEN_MAX)
      .map((ordinal) => ({ id: this.#ids.get(ordinal), visitors: counts[ordinal]! }))
  }

  /**
   * Returns the documents that a visitor saw or chose, newest last, for the first known identity
   * (user, anonymous id, session).
   */
  seenBy(visitor: Visitor): SeenDocument[] {
    for (const identity of identitiesOf(visitor)) {
      const at = placeIn(this.#identity, identity)
      if (at < 0) continue
      const start = this.#seen.offsets[at]!
      return Array.from(this.#seen.of(at), (ordinal, i) => ({
        id: this.#ids.get(ordinal),
        atMs: this.#seenAt[start + i]!,
        step: STEPS_BY_STRENGTH[this.#seenStep[start + i]!]!,
      }))
    }
    return []
  }
}
