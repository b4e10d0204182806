import type { Area } from '../places/area.ts'
import { type TestedArea, testedArea } from '../places/area-cells.ts'
import { LAT_STEP, latOf, LON_STEP, lonOf, packPlace } from '../places/place.ts'
import type { Column } from './column-reader.ts'

/** Cells with at most this many values are not divided; their values are tested. */
const CELL_VALUES_MAX = 16
/** Steps of tests between two looks at the clock: 0.1 ms. A polygon may have 1,000 corners. */
const STEPS_PER_CHECK = 16_384

/**
 * Ranks of the values of a geopoint column in an area, as pairs `from, to` (exclusive), ascending.
 *
 * Values are sorted by packed number, so each cell of the map is a range of ranks. Divides the map
 * recursively into four cells: a cell entirely in the area is one range, and only along the border
 * are values tested. A circle among a million values takes 150 cells and 500 distances.
 */
export function ranksInArea(column: Column, area: Area, checkDeadline: () => void): number[] {
  const steps = ranksInAreaSteps(column, area)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    checkDeadline()
  }
}

/** The same in steps: yields where it may stop or wait. */
export function ranksInAreaSteps(column: Column, area: Area): Generator<void, number[]> {
  return new AreaSearch(column, testedArea(area)).ranges()
}

/** A cell of the map, with the ranks of its values. */
interface OpenCell {
  /** Steps from the south pole. */
  readonly y: number
  /** Steps from the date line. */
  readonly x: number
  /** Length of its sides in steps, a power of 2. */
  readonly size: number
  readonly from: number
  /** The rank after the last. */
  readonly to: number
}

class AreaSearch {
  readonly #points: Uint32Array
  readonly #count: number
  readonly #area: TestedArea
  readonly #ranges: number[] = []
  #steps = 0

  constructor(column: Column, area: TestedArea) {
    this.#points = column.points
    this.#count = column.valueCount
    this.#area = area
  }

  *ranges(): Generator<void, number[]> {
    /** The next cell is the last. */
    const open: OpenCell[] = [{ y: 0, x: 0, size: 2 ** 32, from: 0, to: this.#count }]
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      if (this.#steps >= STEPS_PER_CHECK) {
        this.#steps = 0
        yield
      }
      this.#visit(cell, open)
    }
    return this.#ranges
  }

  #visit({ y, x, size, from, to }: OpenCell, open: OpenCell[]): void {
    if (from === to) return
    if (to - from <= CELL_VALUES_MAX || size === 1) {
      this.#testEach(from, to)
      return
    }
    this.#steps += this.#area.steps
    const relation = this.#area.relationTo({
      south: y * LAT_STEP - 90,
      north: (y + size) * LAT_STEP - 90,
      west: x * LON_STEP - 180,
      east: (x + size) * LON_STEP - 180,
    })
    if (relation === 1) this.#accept(from, to)
    if (relation !== 0) return
    const half = size / 2
    const north = this.#firstIn(y + half, x, from, to)
    const southEast = this.#firstIn(y, x + half, from, north)
    const northEast = this.#firstIn(y + half, x + half, north, to)
    open.push(
      { y: y + half, x: x + half, size: half, from: northEast, to },
      { y: y + half, x, size: half, from: north, to: northEast },
      { y, x: x + half, size: half, from: southEast, to: north },
      { y, x, size: half, from, to: southEast },
    )
  }

  #testEach(from: number, to: number): void {
    this.#steps += (to - from) * this.#area.steps
    const points = this.#points
    for (let rank = from; rank < to; rank++) {
      const [low, high] = [points[2 * rank]!, points[2 * rank + 1]!]
      if (this.#area.holds(latOf(low, high), lonOf(low, high))) this.#accept(rank, rank + 1)
    }
  }

  #accept(from: number, to: number): void {
    const ranges = this.#ranges
    if (ranges.at(-1) === from) ranges[ranges.length - 1] = to
    else ranges.push(from, to)
  }

  /** The first rank in `from .. to` whose value is not below a grid point. */
  #firstIn(y: number, x: number, from: number, to: number): number {
    const packed = packPlace({ lat: y * LAT_STEP - 90, lon: x * LON_STEP - 180 })
    const low = Number(packed & 0xffff_ffffn)
    const high = Number(packed >> 32n)
    const points = this.#points
    let [first, end] = [from, to]
    while (first < end) {
      const middle = (first + end) >>> 1
      const valueHigh = points[2 * middle + 1]! | 0
      const isBelow = valueHigh < high || (valueHigh === high && points[2 * middle]! < low)
      if (isBelow) first = middle + 1
      else end = middle
    }
    return first
  }
}
