import { getDayOfWeek, parseDate, today } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { readerLocale } from '../format/locale.ts'
import { Button, CalendarCell, CalendarGrid, Heading, RangeCalendar } from 'react-aria-components'

/** Two days of a calendar, neither in the future. */
export function RangePicker({
  from,
  to,
  onChoose,
}: {
  readonly from: string
  readonly to: string
  readonly onChoose: (from: string, to: string) => void
}): ReactNode {
  return (
    <RangeCalendar
      aria-label="Period"
      className="calendar"
      defaultValue={{ start: parseDate(from), end: parseDate(to) }}
      maxValue={today('UTC')}
      firstDayOfWeek={firstDayOfWeek(readerLocale())}
      onChange={({ start, end }) => onChoose(start.toString(), end.toString())}
    >
      <header className="calendar-header">
        <Button slot="previous" className="button button-ghost button-icon button-small">
          <ChevronLeft size={16} aria-hidden />
        </Button>
        <Heading className="strong" />
        <Button slot="next" className="button button-ghost button-icon button-small">
          <ChevronRight size={16} aria-hidden />
        </Button>
      </header>
      <CalendarGrid>{(date) => <CalendarCell date={date} className="calendar-day" />}</CalendarGrid>
    </RangeCalendar>
  )
}

const SUNDAY = parseDate('2026-11-01')
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** The pages are in English, weeks as the reader counts them. */
function firstDayOfWeek(locale: string): (typeof DAYS)[number] {
  return DAYS[(7 - getDayOfWeek(SUNDAY, locale)) % 7]!
}
