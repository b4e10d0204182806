import { Suspense, type ReactNode } from 'react'
import { mendLanguage } from '../format/locale.ts'
import type { LineChartProps } from './plot.tsx'
import { chunk } from './chunk.tsx'
import { Skeleton } from './states.tsx'
import './chart.css'

const HEIGHT = 220
const Plot = chunk<LineChartProps>(async () => {
  mendLanguage()
  return (await import('./plot.tsx')).Plot
})

/** For screens with charts: loads their code while the values are asked for. */
export const preloadCharts = Plot.preload

/** Lines over time, with the values under the pointer; loaded apart. */
export function LineChart(props: LineChartProps): ReactNode {
  const { height = HEIGHT } = props
  return (
    <Suspense fallback={<Skeleton height={height + 28} />}>
      <Plot {...props} height={height} />
    </Suspense>
  )
}
