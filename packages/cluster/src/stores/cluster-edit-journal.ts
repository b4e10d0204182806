import type { EditJournal, EditRow, StoredEdit } from '@aisle/server/ports'
import type { StoredControl } from '../opensearch/control-document.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'

const EDIT = 'edit'
const PART = 'part'
const OPEN = 'open'

/**
 * Edits of many documents, in a separate index: their parts are large, and no node follows
 * them.
 */
export class ClusterEditJournal implements EditJournal {
  readonly #openIndex: () => Promise<ControlIndex>
  #opening: Promise<ControlIndex> | undefined

  /** @param open an index only for edits, with the first use: most tests have none */
  constructor(open: () => Promise<ControlIndex>) {
    this.#openIndex = open
  }

  async list(content: string): Promise<readonly StoredEdit[]> {
    const found = await this.#allWith(`content=${content}`)
    return found.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  }

  async get(content: string, id: string): Promise<StoredEdit | undefined> {
    const stored = await (await this.#index()).get(editId(content, id))
    return stored && editOf(stored)
  }

  async open(): Promise<readonly StoredEdit[]> {
    return this.#allWith(OPEN)
  }

  async contents(): Promise<readonly string[]> {
    const all = await (await this.#index()).all(EDIT)
    return [...new Set(all.map((one) => editOf(one).content))]
  }

  async put(row: EditRow, replaces?: string): Promise<string | undefined> {
    const { content, id, isOpen } = row
    const [seqNo, primaryTerm] = (replaces ?? '').split('/').map(Number)
    const put = {
      id: editId(content, id),
      kind: EDIT,
      keys: [`content=${content}`, ...(isOpen ? [OPEN] : [])],
      json: JSON.stringify(row),
    }
    const expected =
      replaces === undefined
        ? ('absent' as const)
        : { seqNo: seqNo ?? -1, primaryTerm: primaryTerm ?? -1 }
    const [version] = await (await this.#index()).commit([{ put, expected }])
    return typeof version === 'object' ? revisionOf(version) : undefined
  }

  async remove(content: string, id: string): Promise<void> {
    await this.removeParts(id)
    await (await this.#index()).commit([{ remove: editId(content, id) }])
  }

  async putPart(id: string, number: number, bytes: Uint8Array): Promise<void> {
    const put = {
      id: partId(id, number),
      kind: PART,
      keys: [`edit=${id}`],
      number,
      json: Buffer.from(bytes).toString('base64'),
    }
    await (await this.#index()).commit([{ put, expected: 'any' }])
  }

  async part(id: string, number: number): Promise<Uint8Array | undefined> {
    const stored = await (await this.#index()).get(partId(id, number))
    return stored && Buffer.from(stored.json, 'base64')
  }

  async removeParts(id: string, below?: number): Promise<void> {
    const query = { kind: PART, keys: [`edit=${id}`], beforeNumber: below }
    for (;;) {
      // Few at a time, because each comes with its content.
      const parts = await (await this.#index()).find({ ...query, order: 'ascending', limit: 20 })
      if (parts.length === 0) return
      await (await this.#index()).commit(parts.map((part) => ({ remove: part.id })))
    }
  }

  async #allWith(key: string): Promise<StoredEdit[]> {
    const all = await (await this.#index()).all(EDIT, [key])
    // Of one that has changed meanwhile, the last state counts.
    return [...new Map(all.map((stored) => [stored.id, editOf(stored)])).values()]
  }

  async #index(): Promise<ControlIndex> {
    this.#opening ??= this.#openIndex()
    try {
      return await this.#opening
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }
}

function editOf({ json, version }: StoredControl): StoredEdit {
  return { ...(JSON.parse(json) as EditRow), revision: revisionOf(version) }
}

function revisionOf({ seqNo, primaryTerm }: StoredControl['version']): string {
  return `${seqNo}/${primaryTerm}`
}

function editId(content: string, id: string): string {
  return `${EDIT}:${content}:${id}`
}

function partId(id: string, number: number): string {
  return `${PART}:${id}:${number}`
}
