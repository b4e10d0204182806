import type { EditJournal, EditRow, StoredEdit } from '../../ports/catalog/edit-journal.ts'
import type { Committer } from './committer.ts'
import { openTable, type Environment, type Table } from './environment.ts'
import {
  DamagedRowError,
  DOCUMENT_HEADER_BYTES,
  jsonRow,
  mixBytes,
  readDocumentRow,
  readJsonRow,
  writeDocumentRow,
} from './record.ts'

/** Parts that one commit removes. */
const REMOVED_AT_ONCE = 100

interface Row extends Omit<EditRow, 'id' | 'content'> {
  readonly revision: number
}

/**
 * Edits of many documents in LMDB. Main thread only, which decides `put` in one turn.
 *
 *     edit      := content:utf8 0x00 id:ascii
 *     edit part := id:ascii 0x00 number:u32
 */
export class LmdbEditJournal implements EditJournal {
  readonly #edits: Table
  readonly #parts: Table
  readonly #committer: Committer
  readonly #onDamage: (message: string) => void
  /** Keys of the edits with work left. */
  readonly #open = new Set<string>()
  /** Keys of the edits that are being committed. */
  readonly #busy = new Set<string>()
  /** Keys of the open edits that no one has written since this process began: only it writes. */
  readonly #left: Set<string>

  constructor({ root }: Environment, committer: Committer, onDamage: (message: string) => void) {
    this.#edits = openTable(root, 'edits')!
    this.#parts = openTable(root, 'edit-parts')!
    this.#committer = committer
    this.#onDamage = onDamage
    for (const { key, value } of this.#edits.getRange({})) {
      const edit = this.#read(key, value)
      if (edit?.isOpen === true) this.#open.add(editKey(edit.content, edit.id).toString())
    }
    this.#left = new Set(this.#open)
  }

  async list(content: string): Promise<readonly StoredEdit[]> {
    const range = { start: Buffer.from(`${content}\0`), end: Buffer.from(`${content}\u0001`) }
    const edits = [...this.#edits.getRange(range)].map(({ key, value }) => this.#read(key, value))
    return edits.filter((edit) => edit !== undefined).toReversed()
  }

  async get(content: string, id: string): Promise<StoredEdit | undefined> {
    return this.#find(editKey(content, id))
  }

  async open(): Promise<readonly StoredEdit[]> {
    return [...this.#open].flatMap((key) => {
      const edit = this.#find(Buffer.from(key))
      if (edit === undefined) return []
      return this.#left.has(key) ? [{ ...edit, isLeft: true }] : [edit]
    })
  }

  async contents(): Promise<readonly string[]> {
    const contents: string[] = []
    for (let start = Buffer.alloc(0); ;) {
      const [key] = this.#edits.getKeys({ start, limit: 1 })
      if (key === undefined) return contents
      const content = contentOf(key)
      contents.push(content)
      start = Buffer.from(`${content}\u0001`)
    }
  }

  async put(
    { content, id, json, isOpen }: EditRow,
    replaces?: string,
  ): Promise<string | undefined> {
    const key = editKey(content, id)
    const name = key.toString()
    const before = this.#find(key)
    if (this.#busy.has(name) || before?.revision !== replaces) return undefined
    const revision = Number(before?.revision ?? 0) + 1
    const stored: Row = { json, isOpen, revision }
    this.#busy.add(name)
    try {
      const row = jsonRow(mixBytes(key), stored)
      await this.#committer.commit([{ table: this.#edits, key, row }])
    } finally {
      this.#busy.delete(name)
    }
    this.#left.delete(name)
    if (isOpen) this.#open.add(name)
    else this.#open.delete(name)
    return String(revision)
  }

  async remove(content: string, id: string): Promise<void> {
    await this.removeParts(id)
    const key = editKey(content, id)
    this.#open.delete(key.toString())
    this.#left.delete(key.toString())
    await this.#committer.commit([{ table: this.#edits, key, row: undefined }])
  }

  async putPart(id: string, number: number, bytes: Uint8Array): Promise<void> {
    const key = partKey(id, number)
    const row = Buffer.allocUnsafeSlow(DOCUMENT_HEADER_BYTES + bytes.length)
    writeDocumentRow(row, 0, mixBytes(key), { id: '', json: bytes })
    await this.#committer.commit([{ table: this.#parts, key, row }])
  }

  async part(id: string, number: number): Promise<Uint8Array | undefined> {
    const key = partKey(id, number)
    const row = this.#parts.getBinary(key)
    if (row === undefined) return undefined
    try {
      return Buffer.from(readDocumentRow(row, mixBytes(key)).json)
    } catch (error) {
      if (!(error instanceof DamagedRowError)) throw error
      this.#onDamage(`Damaged row (part ${number} of edit ${id}, skipped): ${error.message}`)
      return undefined
    }
  }

  async removeParts(id: string, below = 2 ** 32 - 1): Promise<void> {
    for (;;) {
      const range = { start: partKey(id, 0), end: partKey(id, below), limit: REMOVED_AT_ONCE }
      const keys = [...this.#parts.getKeys(range)].map((key) => Buffer.from(key))
      if (keys.length === 0) return
      await this.#committer.commit(keys.map((key) => ({ table: this.#parts, key, row: undefined })))
    }
  }

  #find(key: Buffer): StoredEdit | undefined {
    const value = this.#edits.getBinary(key)
    return value === undefined ? undefined : this.#read(key, value)
  }

  /** One damaged edit must not hide the others. */
  #read(key: Buffer, value: Buffer): StoredEdit | undefined {
    const content = contentOf(key)
    const id = textOf(key).slice(content.length + 1)
    try {
      const { revision, ...row } = readJsonRow(value, mixBytes(key)) as Row
      return { content, id, ...row, revision: String(revision) }
    } catch (error) {
      if (!(error instanceof DamagedRowError)) throw error
      this.#onDamage(`Damaged row (edit ${id}, skipped): ${error.message}`)
      return undefined
    }
  }
}

function contentOf(key: Uint8Array): string {
  const text = textOf(key)
  return text.slice(0, text.indexOf('\0'))
}

function editKey(content: string, id: string): Buffer {
  return Buffer.from(`${content}\0${id}`)
}

function partKey(id: string, number: number): Buffer {
  const end = Buffer.allocUnsafe(4)
  end.writeUInt32BE(number)
  return Buffer.concat([Buffer.from(`${id}\0`), end])
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString()
}
