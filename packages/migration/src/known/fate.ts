import { canonical } from './canonical.ts'

/**
 * How a documented setting of another engine is migrated:
 *
 * - `carried`: a translator reads it, and reports changes itself;
 * - `fact`: it does not affect searches, such as a count, a date or file storage;
 * - a note: it has no equivalent, and the report says so unless it has its default there.
 */
export type Fate = 'carried' | 'fact' | Lost

interface Lost {
  readonly note: string
  /** Defaults of the engine, which need no note. */
  readonly usual?: readonly unknown[]
}

/** The documented settings of one kind of object, by name. */
export type KnownSettings = Readonly<Record<string, Fate>>

const UNKNOWN = 'is unknown to this version of Aisle: it is left out'

/**
 * Notes on the settings of an object: no setting is ignored silently.
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

/** Whether nothing was set: `null`, or an empty text, list or object. */
function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
