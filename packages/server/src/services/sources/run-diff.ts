import {
  SOURCE_DIFF_SHOWN_MAX,
  SOURCE_SHOWN_MAX_CHARS,
  type RefusedRow,
  type SourceDiff,
} from '@aisle/contract'
import { exactJson } from '../../domain/json/json-exact.ts'
import { parseExact } from '../../domain/json/json-scan.ts'
import type { ChangedDocument, RefusedSourceRow } from '../../ports/catalog/source-readings.ts'

/** Fields that the change of a document shows, and characters of a value. */
const FIELDS_SHOWN_MAX = 10
const VALUE_SHOWN_MAX_CHARS = 200

/** Keeps the first documents of each kind that a run adds, changes, removes and refuses. */
export class RunDiff {
  readonly #added: SourceDiff['added'] = []
  readonly #changed: SourceDiff['changed'] = []
  readonly #removed: string[] = []
  readonly #refused: RefusedRow[] = []

  get wantsChanged(): boolean {
    return this.#changed.length < SOURCE_DIFF_SHOWN_MAX
  }

  addNew({ id, json }: ChangedDocument): void {
    if (this.#added.length >= SOURCE_DIFF_SHOWN_MAX) return
    this.#added.push({ id, document: cut(Buffer.from(json).toString(), SOURCE_SHOWN_MAX_CHARS) })
  }

  /** @param before JSON of the stored document */
  addChanged({ id, json }: ChangedDocument, before: Uint8Array): void {
    if (!this.wantsChanged) return
    const fields = changedFields(before, json)
    if (fields.length > 0) this.#changed.push({ id, fields })
  }

  addRemoved(ids: readonly string[]): void {
    this.#removed.push(...ids.slice(0, SOURCE_DIFF_SHOWN_MAX - this.#removed.length))
  }

  addRefused({ row, id, error, document }: RefusedSourceRow): void {
    if (this.#refused.length >= SOURCE_DIFF_SHOWN_MAX) return
    this.#refused.push({
      row,
      ...(id === undefined || id === '' ? {} : { id }),
      error,
      ...(document === undefined ? {} : { document }),
    })
  }

  take(): SourceDiff {
    return {
      added: this.#added,
      changed: this.#changed,
      removed: this.#removed,
      refused: this.#refused,
    }
  }
}

function changedFields(
  before: Uint8Array,
  after: Uint8Array,
): SourceDiff['changed'][number]['fields'] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])]
  return names
    .filter((name) => old.get(name) !== now.get(name))
    .slice(0, FIELDS_SHOWN_MAX)
    .map((field) => ({
      field,
      ...shown('before', old.get(field)),
      ...shown('after', now.get(field)),
    }))
}

function shown<Name extends 'before' | 'after'>(
  name: Name,
  value: string | undefined,
): { [N in Name]?: string } {
  return value === undefined
    ? {}
    : ({ [name]: cut(value, VALUE_SHOWN_MAX_CHARS) } as { [N in Name]?: string })
}

function valuesOf(json: Uint8Array): Map<string, string> {
  const object = parseExact(json) as Record<string, unknown>
  return new Map(Object.entries(object).map(([name, value]) => [name, exactJson(value)]))
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}…`
}
