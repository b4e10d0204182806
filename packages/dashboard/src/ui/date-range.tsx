import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { formatUtcDay } from '../format/time.ts'
import type { DateRangeState, RangeName } from '../state/date-range.ts'
import { Button } from './button.tsx'
import { Segmented, Select } from './choice.tsx'
import { SkeletonLines } from './states.tsx'
import './date-range.css'

const NAMES = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
] as const satisfies readonly { value: RangeName; label: string }[]
const COMPARISONS = [
  { value: 'none', label: 'No comparison' },
  { value: 'previous', label: 'Previous period' },
  { value: 'year', label: 'Previous year' },
] as const
const RangePicker = lazy(async () => ({
  default: (await import('./range-picker.tsx')).RangePicker,
}))

/** The control for periods: `const range = useDateRange()`, then this with it. */
export function DateRangeField({
  range,
  hasComparison = true,
}: {
  readonly range: DateRangeState
  readonly hasComparison?: boolean
}): ReactNode {
  const [isOpen, open] = useState(false)
  return (
    <div className="row">
      <Segmented
        label="Period"
        options={NAMES}
        value={range.name ?? ('' as RangeName)}
        onChange={range.choose}
      />
      <DialogTrigger isOpen={isOpen} onOpenChange={open}>
        <AriaButton className="button button-secondary button-medium">
          <CalendarDays size={16} aria-hidden />
          <span className="number">
            {range.days === 1
              ? formatUtcDay(range.to)
              : `${formatUtcDay(range.from)} – ${formatUtcDay(range.to)}`}
          </span>
        </AriaButton>
        <Popover className="menu-popover floating date-range-popover" placement="bottom end">
          <Dialog aria-label="Custom period" className="date-range-dialog">
            <Suspense fallback={<SkeletonLines count={6} />}>
              <RangePicker
                from={range.from}
                to={range.to}
                onChoose={(from, to) => {
                  range.chooseDays(from, to)
                  open(false)
                }}
              />
            </Suspense>
            <p className="small muted">Days in UTC, as in reports.</p>
            <Button size="small" onPress={() => open(false)}>
              Close
            </Button>
          </Dialog>
        </Popover>
      </DialogTrigger>
      {hasComparison && (
        <div className="date-range-compare">
          <Select
            label="Compare with"
            isLabelHidden
            options={COMPARISONS}
            value={range.compare ?? 'none'}
            onChange={(next) => range.setCompare(next === 'none' ? undefined : next)}
          />
        </div>
      )}
    </div>
  )
}
