import { parseDate, today } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
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
