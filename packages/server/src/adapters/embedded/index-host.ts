import type { IndexDocument, Schema } from '@aisle/engine'
import type { IndexHost, StoreIndex } from './engine-port.ts'

class MemoryHost implements IndexHost {
  open(_catalog: number, first: Schema): Promise<StoreIndex> {
    let schema = first
    const held = new Map<number, IndexDocument>()
    return Promise.resolve({
      covered: [],
      apply: ({ added, removed }) => {
        for (const { docKey } of removed) held.delete(docKey)
        for (const d of added) held.set(d.docKey, d)
      },
      setSchema: (s) => void (schema = s),
      snapshot: () => ({ schema, documents: [...held.values()] }),
      statistics: () => ({ indexBytes: 0, segmentCount: 1 }),
      holds: () => false,
      close: () => Promise.resolve(),
    })
  }
  remove(): Promise<void> {
    return Promise.resolve()
  }
  catalogs(): number[] {
    return []
  }
  close(): Promise<void> {
    return Promise.resolve()
  }
}
export function createIndexHost(_folder: string): Promise<IndexHost & { close(): Promise<void> }> {
  return Promise.resolve(new MemoryHost())
}
