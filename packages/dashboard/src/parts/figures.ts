import type { ReportAnswer } from '@aisle/client'
import { formatMoney, formatNumber, formatPercent } from '../format/numbers.ts'

export type Totals = ReportAnswer<'overview'>['totals']
export type Revenue = Totals['revenue']

export interface Figure {
  readonly id: string
  readonly label: string
  /** What is counted, in a sentence. */
  readonly about: string
  /**
   * `null`: there is nothing to divide by, or nobody reports such events. Shown as "–", never as 0.
   */
  readonly value: (totals: Totals) => number | null
  readonly text: (totals: Totals) => string
  /** Formats a difference between two periods, without its sign. */
  readonly amount: (value: number, totals: Totals) => string
  /** Formats a value on the axis of a chart. */
  readonly axis: (value: number) => string
  /** Whether a higher value is good news. */
  readonly better: 'more' | 'less' | 'neither'
  /** A share: changes are in percentage points. */
  readonly isShare: boolean
}

/** The figures of the overview, in the order of their tiles. */
export const FIGURES: readonly Figure[] = [
  count('searches', 'Searches', 'Keystrokes of one search count once.'),
  count('users', 'Visitors who searched', 'Counted once, also after logging in.'),
  share('no_result_rate', 'No results', 'Share of searches with no results.', 'less'),
  share('click_through_rate', 'Click-through rate', 'Share of searches that led to a click.'),
  {
    ...count('average_click_position', 'Average click position', 'From 1; lower is better.'),
    text: ({ average_click_position: position }) => decimalText(position),
    amount: (value) => formatNumber(value, 1),
    axis: (value) => formatNumber(value, 1),
    better: 'less',
  },
  share('conversion_rate', 'Conversion rate', 'Share of searches that led to a conversion.'),
  count('orders', 'Orders', 'Orders that came from a search.'),
  {
    ...count('orders', 'Revenue', 'From orders that came from a search, per currency.'),
    id: 'revenue',
    value: ({ revenue }) => amountOf(revenue),
    text: ({ revenue }) => revenueText(revenue),
    amount: moneyText,
    axis: compact,
  },
  money('revenue_per_search', 'Revenue per search', 'Not available with several currencies.'),
  money('average_order_value', 'Average order value', 'Not available with several currencies.'),
]

type NumberName = {
  [Name in keyof Totals]: Totals[Name] extends number | null ? Name : never
}[keyof Totals]

function count(id: NumberName, label: string, about: string): Figure {
  return {
    id,
    label,
    about,
    value: (totals) => totals[id],
    text: (totals) => (totals[id] === null ? '–' : formatNumber(totals[id])),
    amount: (value) => formatNumber(value),
    axis: compact,
    better: 'more',
    isShare: false,
  }
}

function share(
  id: NumberName,
  label: string,
  about: string,
  better: Figure['better'] = 'more',
): Figure {
  return {
    ...count(id, label, about),
    text: (totals) => formatPercent(totals[id]),
    axis: (value) => formatPercent(value, value < 0.1 && value > 0 ? 1 : 0),
    better,
    isShare: true,
  }
}

function money(id: NumberName, label: string, about: string): Figure {
  return {
    ...count(id, label, about),
    text: (totals) => (totals[id] === null ? '–' : moneyText(totals[id], totals)),
    amount: moneyText,
    axis: (value) => formatNumber(value, value < 10 ? 2 : 0),
  }
}

function moneyText(value: number, { revenue }: Totals): string {
  return formatMoney(value, revenue[0]?.currency ?? undefined)
}

function compact(value: number): string {
  return Number.isInteger(value) ? formatNumber(value) : formatNumber(value, 1)
}

/** `12.4`, or "–". */
export function decimalText(value: number | null): string {
  return value === null ? '–' : formatNumber(value, 1)
}

/** Sums of several currencies are not added: each is a text, `EUR 1,200.00`. */
export function revenueTexts(revenue: Revenue): readonly string[] {
  return revenue.map(({ currency, amount }) => formatMoney(amount, currency ?? undefined))
}

/** In one line: `EUR 1,200.00 + USD 30.00`, and the number of the others from the third on. */
export function revenueText(revenue: Revenue): string {
  const texts = revenueTexts(revenue)
  if (texts.length === 0) return '–'
  return texts.length < 3 ? texts.join(' + ') : `${texts[0]} + ${texts.length - 1} more`
}

/** The amount where there is one currency; `null` without any, or with several. */
export function amountOf(revenue: Revenue): number | null {
  return revenue.length === 1 ? revenue[0]!.amount : null
}

/** The amounts of several currencies, each with its change where it was something before. */
export function revenueChanges(
  now: Revenue,
  before: Revenue | undefined,
): readonly { readonly text: string; readonly change?: Change }[] {
  return now.map(({ currency, amount }) => {
    const text = formatMoney(amount, currency ?? undefined)
    const was = before?.find((one) => one.currency === currency)?.amount
    if (was === undefined || was === 0) return { text }
    const change = (amount - was) / Math.abs(was)
    if (Math.round(change * 100) === 0) return { text }
    const sign = change > 0 ? '+' : '−'
    return {
      text,
      change: {
        text: sign + formatPercent(Math.abs(change), 0),
        news: change > 0 ? 'good' : 'bad',
      },
    }
  })
}

export interface Change {
  /** `+12%`, `−1.2 points`; `+7` where it was nothing before, which has no percentage. */
  readonly text: string
  /** `+34`: the same as an amount; absent where the text says it already. */
  readonly amount?: string
  readonly news: 'good' | 'bad' | 'none'
}

/** How a figure has changed since another period; absent where either has no value. */
export function changeOf(figure: Figure, now: Totals, before: Totals): Change | undefined {
  const value = figure.value(now)
  const earlier = figure.value(before)
  if (value === null || earlier === null) return undefined
  if (figure.id === 'revenue' && now.revenue[0]?.currency !== before.revenue[0]?.currency) {
    return undefined
  }
  const difference = value - earlier
  const isGood = figure.better === (difference > 0 ? 'more' : 'less')
  const news = figure.better === 'neither' ? 'none' : isGood ? 'good' : 'bad'
  const sign = difference > 0 ? '+' : '−'
  const amount = sign + figure.amount(Math.abs(difference), earlier === 0 ? now : before)
  if (difference === 0) return { text: 'no change', news: 'none' }
  if (!figure.isShare && earlier === 0) return { text: amount, news }
  const change = figure.isShare ? difference * 100 : (difference / Math.abs(earlier)) * 100
  const digits = figure.isShare || Math.abs(change) < 10 ? 1 : 0
  if (Number(Math.abs(change).toFixed(digits)) === 0) return { text: 'no change', news: 'none' }
  if (!figure.isShare) {
    return { text: sign + formatPercent(Math.abs(change) / 100, digits), amount, news }
  }
  return { text: `${sign}${formatNumber(Math.abs(change), digits)} points`, news }
}

/**
 * `80 (+25%)`: an earlier value with the change since then; without a share where it was nothing.
 *
 * @param text the earlier value
 */
export function withChange(
  text: string,
  now: number | null | undefined,
  was: number | null | undefined,
): string {
  if (typeof now !== 'number' || typeof was !== 'number' || was === 0) return text
  const change = (now - was) / Math.abs(was)
  if (Math.round(change * 100) === 0) return `${text} (no change)`
  return `${text} (${change > 0 ? '+' : '−'}${formatPercent(Math.abs(change), 0)})`
}
