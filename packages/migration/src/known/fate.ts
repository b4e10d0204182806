import { canonical } from './canonical.ts'

/**
 * What becomes of a documented setting of another engine:
 *
 * - `carried`: a translator reads it, and says itself what comes over changed;
 * - `fact`: it says nothing about searches, as a count, a date or how a cluster keeps its files;
 * - a note: it has no equivalent, and the report says so unless it is as usual there.
 */
export type Fate = 'carried' | 'fact' | Lost

interface Lost {
  readonly note: string
  /** Its defaults there: then there is nothing to say. */
  readonly usual?: readonly unknown[]
}

/** The documented settings of one kind of object, by name. */
export type KnownSettings = Readonly<Record<string, Fate>>

const UNKNOWN = 'is not known to this version of Aisle: it is left out'

/**
 * What has to be said of the settings of an object: nothing of it is passed over in silence.
 *
 * @returns notes by setting
 */
export function notesOf(
  settings: Readonly<Record<string, unknown>>,
  known: KnownSettings,
): [string, string][] {
  return Object.entries(settings).flatMap(([name, value]): [string, string][] => {
    const fate = Object.hasOwn(known, name) ? known[name]! : { note: UNKNOWN }
    if (typeof fate === 'string' || isUnset(value)) return []
    const text = canonical(value)
    return fate.usual?.some((one) => canonical(one) === text) === true ? [] : [[name, fate.note]]
  })
}

/** The same for members of a rule or a synonym, as sentences that name the member. */
export function memberNotes(
  members: Readonly<Record<string, unknown>>,
  known: KnownSettings,
): string[] {
  return notesOf(members, known).map(([member, note]) =>
    Object.hasOwn(known, member) ? note : `\`${member}\` ${note}`,
  )
}

/** Nothing was set: `null`, or a text, list or object that is empty. */
function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
