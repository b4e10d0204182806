/** A store of JSON values by name that outlives a page. */
export interface BrowserStorage {
  get<Value>(name: string): Value | undefined
  set(name: string, value: unknown): void
  /** Deletes everything. */
  clear(): void
}

/** Stores values in the browser; where that fails (private windows, servers), in memory. */
export function openStorage(prefix: string, names: readonly string[]): BrowserStorage {
  /** Values that the browser refused to store; they win over stored ones. */
  const memory = new Map<string, string>()
  const kept = localStore()
  return {
    get: <Value>(name: string) => {
      const text = memory.get(name) ?? kept?.getItem(prefix + name) ?? undefined
      try {
        return text === undefined ? undefined : (JSON.parse(text) as Value)
      } catch {
        // Another script has written this value.
        return undefined
      }
    },
    set: (name, value) => {
      const text = JSON.stringify(value)
      memory.set(name, text)
      try {
        kept?.setItem(prefix + name, text)
        if (kept !== undefined) memory.delete(name)
      } catch {
        // The storage is full.
      }
    },
    clear: () => {
      memory.clear()
      for (const name of names) kept?.removeItem(prefix + name)
    },
  }
}

function localStore(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}
