import type { AnswerCache, KeptAnswer } from '../../ports/answer-cache.ts'

interface Kept {
  readonly version: number
  readonly atMs: number
  readonly answer: KeptAnswer
}

/** The plainest cache: the answer used least recently goes first. */
export function createMemoryAnswerCache(): AnswerCache {
  const stores = new Map<string, Map<string, Kept>>()
  return {
    get({ storeId, key, version, nowMs, ttlMs }) {
      const answers = stores.get(storeId)
      const kept = answers?.get(key)
      if (answers === undefined || kept === undefined) return undefined
      answers.delete(key)
      const ageMs = nowMs - kept.atMs
      if (kept.version !== version || ageMs < 0 || ageMs >= ttlMs) return undefined
      answers.set(key, kept)
      return kept.answer
    },
    put({ storeId, key, version, nowMs, bytesMax }, answer) {
      const answers = stores.get(storeId) ?? new Map<string, Kept>()
      stores.set(storeId, answers)
      answers.delete(key)
      const { head, tail, ...facts } = answer
      const kept = { head: Buffer.from(head), tail: Buffer.from(tail), ...facts }
      answers.set(key, { version, atMs: nowMs, answer: kept })
      let bytes = [...answers.values()].reduce((sum, one) => sum + bytesOf(one.answer), 0)
      for (const [oldest, { answer: gone }] of answers) {
        if (bytes <= bytesMax) break
        answers.delete(oldest)
        bytes -= bytesOf(gone)
      }
    },
  }
}

function bytesOf({ head, tail }: KeptAnswer): number {
  return head.length + tail.length
}
