import type { Activity } from './activity.ts'
import { compareText, type Act } from './naive-facts.ts'
import type { Money } from './report-counts.ts'

export function currencyOf({ amount, currency }: Activity): string | null {
  return amount === undefined ? null : (currency ?? null)
}

/** Sums by currency, sorted by code, the unknown one last. */
export function moneyOf(
  acts: readonly Act[],
  parts: (act: Act) => readonly { readonly amount: number | undefined }[],
): Money[] {
  const sums = new Map<string | null, number>()
  for (const act of acts) {
    for (const { amount } of parts(act)) {
      if (amount === undefined) continue
      const currency = currencyOf(act)
      sums.set(currency, (sums.get(currency) ?? 0) + amount)
    }
  }
  return [...sums]
    .map(([currency, amount]) => ({ currency, amount }))
    .toSorted((a, b) => compareText(a.currency ?? '\u{10FFFF}', b.currency ?? '\u{10FFFF}'))
}
