/** JSON values by name: what outlives a page. */
export interface BrowserStorage {
  get<Value>(name: string): Value | undefined
  set(name: string, value: unknown): void
  /** Forgets everything. */
  clear(): void
}

/** In the browser; where it refuses (private windows, servers), in memory as long as the page. */
export function openStorage(prefix: string, names: readonly string[]): BrowserStorage {
  const memory = new Map<string, string>()
  const kept = localStore()
  return {
    get: <Value>(name: string) => {
      const text = kept?.getItem(prefix + name) ?? memory.get(name)
      try {
        return text === undefined ? undefined : (JSON.parse(text) as Value)
      } catch {
        // Another script has written there.
        return undefined
      }
    },
    set: (name, value) => {
      const text = JSON.stringify(value)
      try {
        if (kept === undefined) memory.set(name, text)
        else kept.setItem(prefix + name, text)
      } catch {
        // It is full of other things.
        memory.set(name, text)
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
