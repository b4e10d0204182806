import { lazy, Suspense, type ReactNode } from 'react'
import { mendLanguage } from '../format/locale.ts'
import type { LineChartProps } from './plot.tsx'
import { Skeleton } from './states.tsx'
import './chart.css'

const HEIGHT = 220
const Plot = lazy(async () => {
  mendLanguage()
  return { default: (await import('./plot.tsx')).Plot }
})

/** Lines over time, with the values under the pointer; loaded on first use. */
export function LineChart(props: LineChartProps): ReactNode {
  const { height = HEIGHT } = props
  return (
    <Suspense fallback={<Skeleton height={height + 28} />}>
      <Plot {...props} height={height} />
    </Suspense>
  )
}
