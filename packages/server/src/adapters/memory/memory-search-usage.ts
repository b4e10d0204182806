import { monthOf } from '../../domain/values/month.ts'
import type { SearchUsage } from '../../ports/search-usage.ts'

export function createMemorySearchUsage(): SearchUsage {
  const counts = new Map<string, { month: number; searches: number }>()
  const countOf = (storeId: string, nowMs: number) => {
    const month = monthOf(nowMs)
    const before = counts.get(storeId)
    // A clock that is set back over the end of a month goes on counting in the later one.
    const isSame = before !== undefined && before.month >= month
    const count = isSame ? before : { month, searches: 0 }
    counts.set(storeId, count)
    return count
  }
  return {
    take(storeId, nowMs, limit = Infinity) {
      const count = countOf(storeId, nowMs)
      if (count.searches >= limit) return false
      count.searches++
      return true
    },
    used: (storeId, nowMs) => countOf(storeId, nowMs).searches,
  }
}
